// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRulesOf(t *testing.T) {
	for name, c := range map[string]struct{ given, want string }{
		"sound":          {"controller: [{method: CreateVolume, patchRequest: {accessibility_requirements: null}}]\n", ""},
		"of both":        {"controller: [{method: DeleteVolume, answer: {}}]\nnode: [{method: NodeExpandVolume, code: INTERNAL}]\nprovisioner: [--strict-topology=true]\n", ""},
		"nothing":        {"", "or flags in the list provisioner, found none"},
		"unknown field":  {"controllers: []\n", `unknown field "controllers"`},
		"a wrong rule":   {"node: [{method: NodeExpandVolume}]\n", "node[0]: want one of delay"},
		"a wrong number": {"node: [{method: NodeExpandVolume, times: -1, code: INTERNAL}]\n", "times: want 0 or more"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "rules.yaml")
			if err := os.WriteFile(file, []byte(c.given), 0o600); err != nil {
				t.Fatal(err)
			}
			rules, err := rulesOf(file)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want an error with %q", err, c.want)
				}
				return
			}
			if err != nil || rules.Controller[0].ID != "injected-controller-0" {
				t.Errorf("got %+v, %v", rules, err)
			}
		})
	}
	if _, err := rulesOf("nowhere.yaml"); err == nil {
		t.Error("a file that does not exist was read")
	}
}
