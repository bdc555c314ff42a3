// SPDX-License-Identifier: Apache-2.0

package hook

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// TestRestart checks that a driver may keep the output of the program that has started
// it.
func TestRestart(t *testing.T) {
	if Restart(nil, profile.Timeouts{}) != nil {
		t.Error("the driver can be restarted without a program")
	}
	ended := filepath.Join(t.TempDir(), "pid")
	begin := time.Now()
	if err := Restart([]string{"sh", "-c", `sleep 60 & echo $! > "$0"`, ended}, profile.DefaultTimeouts())(t.Context()); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("the program was waited for %s, as long as what it has started", took)
	}
	if pid, err := os.ReadFile(ended); err != nil || exec.Command("kill", strings.TrimSpace(string(pid))).Run() != nil {
		t.Errorf("what the program has started does not run any more: %v", err)
	}
	err := Restart([]string{"sh", "-c", "echo no such pod >&2; exit 3"}, profile.DefaultTimeouts())(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3: no such pod") {
		t.Errorf("Restart = %v, want the status and what the program said", err)
	}
}
