// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigure(t *testing.T) {
	run, cache := t.TempDir(), t.TempDir()
	private := newDaemon(Options{RunDir: run, CacheDir: cache})
	for _, test := range []struct {
		name    string
		runtime string
		want    string // default-runtime
	}{
		{"an ordinary host keeps Docker's runtime", "", ""},
		{"a host without CAP_SYS_RESOURCE", "/cache/ociruntime", "csi-topo"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, err := json.Marshal(private.configure(test.runtime))
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]any
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if runtime, _ := got["default-runtime"].(string); runtime != test.want {
				t.Errorf("default-runtime is %q, want %q", runtime, test.want)
			}
			if _, named := got["runtimes"]; named != (test.want != "") {
				t.Errorf("runtimes in %s, want them only with a default", text)
			}
			for _, key := range []string{"data-root", "exec-root", "pidfile", "deprecated-key-path"} {
				path, _ := got[key].(string)
				if !below(path, run) && !below(path, cache) {
					t.Errorf("%s is %q, want it below %s or %s", key, path, run, cache)
				}
			}
		})
	}
}

// TestNewDaemonAdopts checks that a process with another cache directory finds the data of the running daemon.
func TestNewDaemonAdopts(t *testing.T) {
	run := t.TempDir()
	first := newDaemon(Options{RunDir: run, CacheDir: "/first"})
	if err := first.writeConfig(first.configure("")); err != nil {
		t.Fatal(err)
	}
	second := newDaemon(Options{RunDir: run, CacheDir: "/second"})
	if second.dataRoot() != first.dataRoot() || second.log() != first.log() {
		t.Errorf("the second sees %s and %s, want %s and %s", second.dataRoot(), second.log(), first.dataRoot(), first.log())
	}
	elsewhere := newDaemon(Options{RunDir: t.TempDir(), CacheDir: "/second"})
	if !strings.HasPrefix(elsewhere.dataRoot(), filepath.Join("/second", "engine")) {
		t.Errorf("a daemon of its own has %s", elsewhere.dataRoot())
	}
}
