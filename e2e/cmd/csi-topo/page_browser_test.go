// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// browserVariable names a Chromium by its path; scripts/test-page.sh sets it, once it has one and what check.mjs needs.
const browserVariable = "CSI_TOPO_TEST_BROWSER"

// TestReportPagesInABrowser opens the pages of real runs in a headless browser: of a driver without a fault, of a wrong
// one, of a run that was interrupted, and of all three joined, as in a matrix.
func TestReportPagesInABrowser(t *testing.T) {
	browser := os.Getenv(browserVariable)
	if browser == "" {
		t.Skip(browserVariable + " names no browser: run make test-page")
	}
	some := []string{"spec", "--seed", "1", "--focus", "^T-(EQ|PF-1)", "--focus", "^delete"}
	wrong := append(append(slices.Clone(some), "--focus", "^T-BAD"), broken(t, deletesOnce())...)
	dir := cmp.Or(os.Getenv("SCREENSHOTS"), t.TempDir())
	var reports []string
	for _, run := range []struct {
		name, interruptAt string
		args              []string
	}{
		{"passes", "", some},
		{"failures", "", wrong},
		{"interrupted", "  T-EQ-1 ", append(slices.Clone(some), "--parallel", "1", "--verbose")},
	} {
		at := filepath.Join(dir, run.name)
		p := program(t, run.interruptAt, append(run.args, "--report-dir", at)...)
		if _, err := os.Stat(filepath.Join(at, "report.html")); err != nil {
			t.Fatalf("%v\n%s%s", err, p.out, p.errOut)
		}
		reports = append(reports, at)
	}
	joined := filepath.Join(dir, "joined")
	program(t, "", append([]string{"report", "merge", "--report-dir", joined}, reports...)...)
	for _, at := range append(reports, joined) {
		page := at + ".html" // named as its report, which names the pictures
		if err := os.Rename(filepath.Join(at, "report.html"), page); err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(at), func(t *testing.T) {
			t.Parallel()
			check(t, browser, page)
		})
	}
}

// TestComparisonInABrowser opens the page that compares drivers, twelve with long and short names and versions, some with
// a back end that explains failures.
func TestComparisonInABrowser(t *testing.T) {
	t.Parallel()
	browser := os.Getenv(browserVariable)
	if browser == "" {
		t.Skip(browserVariable + " names no browser: run make test-page")
	}
	reports, dir := t.TempDir(), cmp.Or(os.Getenv("SCREENSHOTS"), t.TempDir())
	names := []string{"s3", "topolvm", "aws-ebs-csi-driver", "cloud-provider-openstack-cinder-csi-plugin"}
	for i, n := range []int{10_000, 400, 100, 60, 40, 30, 25, 17, 13, 9, 7, 5} {
		of := implementation(names[i%len(names)], fmt.Sprintf("v1.%d.0-rc.1+20261128", i))
		change := everyNth(n)
		if i%3 == 0 {
			of.Backend, change = report.Backend{Kind: "fake", Lacks: []string{"no-growth", "no-mounts"}}, failsOn("NE-01", "NS-20")
		}
		publishReport(t, filepath.Join(reports, "unreleased", fmt.Sprint("driver-", i)), of, change)
	}
	compared := filepath.Join(dir, "compared")
	if p := program(t, "", "report", "compare", reports, "--report-dir", compared); p.exit != report.ExitPassed {
		t.Fatalf("exit status %d:\n%s%s", p.exit, p.out, p.errOut)
	}
	check(t, browser, filepath.Join(compared, "index.html"))
}

// check opens the page in a browser of its own, and fails the test for what is wrong with it.
func check(t *testing.T, browser, page string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", "../../report/page/browser/check.mjs", page)
	command.Env = append(os.Environ(), "CHROMIUM="+browser)
	said, err := command.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Errorf("checking the page: %v", err)
	}
}
