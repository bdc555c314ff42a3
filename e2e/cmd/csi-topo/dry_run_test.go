// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

func TestDryRun(t *testing.T) {
	driver, flags := elsewhere(t, "a", "b")
	unreachable := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(unreachable, []byte(nobodyListens), 0o600); err != nil {
		t.Fatal(err)
	}
	reports := filepath.Join(t.TempDir(), "reports")
	for _, test := range []struct {
		name  string
		given []string
		exit  int
		want  []string
	}{
		{"of the reference driver", []string{"spec", "--focus", "^T-EQ-1$"}, report.ExitPassed, []string{"the reference driver, in this process", "T-EQ-1", "\n1 case\n", "Nothing was run"}},
		{"of a driver elsewhere", append([]string{"spec", "--focus", "^T-EQ-1$"}, flags...), report.ExitPassed, []string{`driver: "hostpath.topo.csi" at ` + driver.Controller, `in "`, "concurrent cases: 8"}},
		{"of an endpoint where nobody is", []string{"spec", "--endpoint", "/nowhere/csi.sock"}, report.ExitError, []string{"asking the endpoint"}},
		{"of nothing", []string{"spec", "--focus", "nowhere"}, report.ExitError, []string{`focus "nowhere"`}},
		{"of a scale that is none", []string{"spec", "--timeout-scale", "0"}, report.ExitError, []string{"--timeout-scale is 0"}},
		{"of a cluster that does not answer", []string{"cluster", "--kubeconfig", unreachable, "--workload-image", "a"}, report.ExitError, []string{"no cluster answers"}},
		{"of a cluster without an image", []string{"cluster", "--kubeconfig", unreachable}, report.ExitError, []string{"--workload-image"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := program(t, "", append(test.given, "--dry-run", "--report-dir", reports)...)
			if p.exit != test.exit {
				t.Errorf("exit status %d, want %d: %s%s", p.exit, test.exit, p.out, p.errOut)
			}
			for _, want := range test.want {
				if said := p.out + p.errOut; !strings.Contains(said, want) {
					t.Errorf("want %q in %s", want, said)
				}
			}
			p.leftNothingBehind(t)
		})
	}
	if _, err := os.Stat(reports); err == nil {
		t.Error("a report was written")
	}
	if left := driver.Volumes.IDs(); len(left) > 0 {
		t.Errorf("volumes %q are left", left)
	}
}

// TestTimeoutScale checks that a run with a small factor reaches its limits: no driver answers that fast.
func TestTimeoutScale(t *testing.T) {
	_, flags := elsewhere(t, "a")
	p := program(t, "", append([]string{"spec", "--focus", "^T-EQ-1$", "--timeout-scale", "0.0000000001"}, flags...)...)
	if p.exit == report.ExitPassed {
		t.Errorf("exit status %d, want limits that are too short: %s", p.exit, p.out)
	}
}
