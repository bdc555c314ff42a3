// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/internal/wrong"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// wrongAskedFor has the wrong drivers tried, on a cluster that is made for it.
const wrongAskedFor = "CSI_TOPO_WRONG_TEST"

// wrongCluster is that cluster.
const wrongCluster = "csi-topo-wrong"

// TestWrongDriversAreCaught shows that cases of the cluster tier fail: each for a driver that is right but for one thing,
// which recording proxies make of the reference driver.
func TestWrongDriversAreCaught(t *testing.T) {
	if os.Getenv(wrongAskedFor) == "" {
		t.Skipf("makes a cluster: run `make test-wrong-drivers`, which sets %s", wrongAskedFor)
	}
	t.Cleanup(func() { launch(t, "down", "--name", wrongCluster).exit(t, stopWithin) })
	for _, driver := range wrong.Drivers() {
		t.Run(driver.ID, func(t *testing.T) {
			rules, err := yaml.Marshal(driver.Rules)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "rules.yaml")
			if err := os.WriteFile(file, rules, 0o600); err != nil {
				t.Fatal(err)
			}
			wantAllCaught(t, driver.Caught, "--inject", file)
		})
	}
}

// makeWrongCluster skips the test unless it is asked for, and makes the cluster that it needs, until it ends.
func makeWrongCluster(t *testing.T) {
	t.Helper()
	if os.Getenv(wrongAskedFor) == "" {
		t.Skipf("makes a cluster: run `make test-wrong-drivers`, which sets %s", wrongAskedFor)
	}
	t.Cleanup(func() { launch(t, "down", "--name", wrongCluster).exit(t, stopWithin) })
	if got := launch(t, "up", "--name", wrongCluster).exit(t, runWithin); got != 0 {
		t.Fatalf("want exit status 0 of making the cluster, got %d", got)
	}
}

// wantAllCaught runs these cases, and wants each to have failed, or warned.
func wantAllCaught(t *testing.T, cases []string, flags ...string) {
	t.Helper()
	reports := t.TempDir()
	launch(t, append([]string{"cluster", "--name", wrongCluster, "--keep", "always", "--slow", "--report-dir", reports,
		"--focus", "^(" + strings.Join(cases, "|") + ")$"}, flags...)...).exit(t, runWithin)
	ran, err := report.ReadFile(filepath.Join(reports, "report.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range cases {
		wantCaught(t, ran, id)
	}
}

// wantCaught wants the case to have failed, or warned.
func wantCaught(t *testing.T, ran *report.ConformanceReport, id string) {
	t.Helper()
	for _, c := range ran.Cases {
		if c.ID != id {
			continue
		}
		if c.Verdict != verdict.Fail && c.Verdict != verdict.Warning {
			t.Errorf("%s: verdict %s, want fail or warn: %s", id, c.Verdict, c.Message)
			return
		}
		first, _, _ := strings.Cut(c.Message, "\n")
		t.Logf("%s: %s of %s: %s", id, c.Verdict, strings.Join(c.Requirements, ", "), first)
		return
	}
	t.Errorf("%s did not run", id)
}
