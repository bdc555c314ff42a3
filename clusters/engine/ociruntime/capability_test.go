// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRewrite(t *testing.T) {
	const process = `{"capabilities":{"ambient":null,"bounding":["CAP_CHOWN","CAP_SYS_RESOURCE"],"effective":["CAP_SYS_RESOURCE"]},"limit":18446744073709551615}`
	const without = `{"capabilities":{"ambient":null,"bounding":["CAP_CHOWN"],"effective":[]},"limit":18446744073709551615}`
	for _, test := range []struct {
		name    string
		command string
		file    string
		given   string
		want    string
	}{
		{"create reads config.json", "create", "config.json", `{"process":` + process + `}`, `{"process":` + without + `}`},
		{"run reads config.json", "run", "config.json", `{"process":` + process + `}`, `{"process":` + without + `}`},
		{"a configuration without a process", "create", "config.json", `{"root":{}}`, `{"root":{}}`},
		{"exec reads a process", "exec", "process", process, without},
		{"a process without capabilities", "exec", "process", `{"cwd":"/"}`, `{"cwd":"/"}`},
		{"delete reads nothing", "delete", "config.json", `{"process":` + process + `}`, `{"process":` + process + `}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, test.file)
			if err := os.WriteFile(path, []byte(test.given), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := rewrite(invocation{command: test.command, bundle: dir, process: filepath.Join(dir, "process")}); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestRewriteSaysWhichFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.json")
	if err := rewrite(invocation{command: "create", bundle: dir}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("without a file: %v, want its name", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := rewrite(invocation{command: "create", bundle: dir}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("with half a file: %v, want its name", err)
	}
}
