package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/cluster/wrong"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// wrongAskedFor has the wrong drivers tried, on a cluster that is made for it.
const wrongAskedFor = "CSI_TOPO_WRONG_TEST"

// TestWrongDriversAreCaught shows that cases of the cluster tier fail: each for a driver that is right but for one thing,
// which recording proxies make of the reference driver.
func TestWrongDriversAreCaught(t *testing.T) {
	if os.Getenv(wrongAskedFor) == "" {
		t.Skipf("makes a cluster: run `make test-wrong-drivers`, which sets %s", wrongAskedFor)
	}
	const name = "csi-topo-wrong"
	t.Cleanup(func() { launch(t, "down", "--name", name).exit(t, stopWithin) })
	for _, driver := range wrong.Drivers() {
		t.Run(driver.ID, func(t *testing.T) {
			rules, err := yaml.Marshal(driver.Rules)
			if err != nil {
				t.Fatal(err)
			}
			file, reports := filepath.Join(t.TempDir(), "rules.yaml"), t.TempDir()
			if err := os.WriteFile(file, rules, 0o600); err != nil {
				t.Fatal(err)
			}
			run := launch(t, "cluster", "--name", name, "--keep", "--inject", file, "--report-dir", reports,
				"--focus", "^("+strings.Join(driver.Caught, "|")+")$")
			run.exit(t, runWithin)
			ran, err := report.ReadFile(filepath.Join(reports, "report.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range driver.Caught {
				wantCaught(t, ran, id)
			}
		})
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
		t.Logf("%s: %s by %s: %s", id, c.Verdict, strings.Join(c.Blamed, ", "), first)
		return
	}
	t.Errorf("%s did not run", id)
}
