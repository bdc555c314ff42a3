// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestClientsOf(t *testing.T) {
	processes := t.TempDir()
	for process, line := range map[string]string{
		"1":    "docker\x00run\x00--name\x00a-worker\x00--label\x00io.x-k8s.kind.cluster=a\x00image\x00",
		"2":    "docker\x00run\x00--label\x00io.x-k8s.kind.cluster=a-2\x00image\x00",
		"3":    "docker\x00ps\x00--filter\x00label=io.x-k8s.kind.cluster=a\x00",
		"4":    "",
		"self": "docker\x00run\x00--label\x00io.x-k8s.kind.cluster=a\x00image\x00",
	} {
		if err := os.Mkdir(filepath.Join(processes, process), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(processes, process, "cmdline"), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := clientsOf(processes, "a"), []string{filepath.Join(processes, "1")}; !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}
