// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
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
	var pages, reports []string
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
		page := filepath.Join(dir, run.name+".html")
		if err := os.Rename(filepath.Join(at, "report.html"), page); err != nil {
			t.Fatalf("%v\n%s%s", err, p.out, p.errOut)
		}
		pages, reports = append(pages, page), append(reports, at)
	}
	joined := filepath.Join(dir, "joined")
	program(t, "", append([]string{"report", "merge", "--report-dir", joined}, reports...)...)
	page := filepath.Join(dir, "joined.html")
	if err := os.Rename(filepath.Join(joined, "report.html"), page); err != nil {
		t.Fatal(err)
	}
	check(t, browser, append(pages, page)...)
}

// check opens the pages in the browser, and fails the test for what is wrong with them.
func check(t *testing.T, browser string, pages ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", append([]string{"../../report/page/browser/check.mjs"}, pages...)...)
	command.Env = append(os.Environ(), "CHROMIUM="+browser)
	said, err := command.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Errorf("checking the pages: %v", err)
	}
}
