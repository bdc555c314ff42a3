// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeDocker puts a docker command first in PATH that answers only for one DOCKER_HOST; "" means the default.
func fakeDocker(t *testing.T, answersAt string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nif [ \"$DOCKER_HOST\" = '" + answersAt + "' ]; then echo 28.0.0; exit; fi\n" +
		"echo some warning >&2; echo \"Cannot connect to $DOCKER_HOST\" >&2; exit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "docker"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name      string
		env       string // DOCKER_HOST
		answersAt string
		wantHost  string
		wantError string
	}{
		{"the default answers", "", "", "", ""},
		{"the named one answers", "tcp://other:2375", "tcp://other:2375", "tcp://other:2375", ""},
		{
			"the named one does not answer and is not replaced", "tcp://other:2375", "", "",
			"DOCKER_HOST=tcp://other:2375 names does not answer: docker version: Cannot connect to tcp://other:2375",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			fakeDocker(t, test.answersAt)
			t.Setenv("DOCKER_HOST", test.env)
			got, err := find(t.Context(), newDaemon(Options{RunDir: t.TempDir(), CacheDir: t.TempDir()}))
			if test.wantError != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantError) {
					t.Fatalf("find gave %v, want %q", err, test.wantError)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got == nil || got.Host != test.wantHost || got.Private {
				t.Errorf("find gave %+v, want the engine at %q", got, test.wantHost)
			}
		})
	}
}

func TestEnv(t *testing.T) {
	if got := (&Engine{}).Env(); len(got) != 0 {
		t.Errorf("the default engine needs %q, want nothing", got)
	}
	if got := (&Engine{Host: "unix:///x"}).Env(); len(got) != 1 || got[0] != "DOCKER_HOST=unix:///x" {
		t.Errorf("Env() = %q", got)
	}
}
