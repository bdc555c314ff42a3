// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// writeReports writes each text as a report into a separate directory, and returns the parent of these directories.
func writeReports(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		head := "apiVersion: csi-topo/v1alpha1\nkind: ConformanceReport\n"
		if err := os.WriteFile(filepath.Join(dir, name, "report.yaml"), []byte(head+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReport(t *testing.T) {
	dir := writeReports(t, map[string]string{
		"old": "environment: {tier: spec}\nsummary: {pass: 2}\ncases: [{id: T-1, verdict: pass}, {id: T-2, verdict: pass}]\n",
		"new": "environment: {tier: spec}\nsummary: {pass: 1, fail: 1}\ncases: [{id: T-1, verdict: fail, message: in Z3}, {id: T-2, verdict: pass}]\n",
	})
	was, is, merged := filepath.Join(dir, "old"), filepath.Join(dir, "new"), filepath.Join(dir, "merged")
	for _, c := range []struct {
		name string
		args []string
		exit int
		out  string
	}{
		{"markdown of a report", []string{"markdown", filepath.Join(was, "report.yaml")}, report.ExitPassed, "### spec tier: 2 pass, "},
		{"markdown of its directory", []string{"markdown", was}, report.ExitPassed, "### spec tier: 2 pass, "},
		{"markdown of two", []string{"markdown", was, is}, report.ExitPassed, "| T-1 | pass | fail |"},
		{"markdown of none", []string{"markdown", filepath.Join(dir, "none")}, report.ExitError, "### No report: "},
		{"a page", []string{"html", was}, report.ExitPassed, "Passed"},
		{"a page of no report", []string{"html", filepath.Join(dir, "none")}, report.ExitError, ""},
		{"worse", []string{"diff", was, is}, report.ExitFailed, "| T-1 | pass | **fail** |"},
		{"better", []string{"diff", is, was}, report.ExitPassed, "| T-1 | fail | pass |"},
		{"alike", []string{"diff", was, was}, report.ExitPassed, "No verdict of a case or a requirement changed"},
		{"a picture", []string{"badge", was}, report.ExitPassed, "csi-topo: 2 passed"},
		{"a badge of shields", []string{"badge", "-o", "shields", is}, report.ExitPassed, `"message":"1 failed"`},
		{"a badge of another kind", []string{"badge", "-o", "gif", is}, report.ExitError, ""},
		{"joined", []string{"merge", was, is, "--report-dir", merged}, report.ExitPassed, ""},
		{"joined with itself", []string{"merge", was, was, "--report-dir", merged}, report.ExitError, ""},
		{"markdown of what is joined", []string{"markdown", merged}, report.ExitPassed, "### 2 runs of"},
		{"a difference of what is joined", []string{"diff", merged, is}, report.ExitError, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := program(t, "", append([]string{"report"}, c.args...)...)
			if p.exit != c.exit || !strings.Contains(p.out, c.out) {
				t.Errorf("exit status %d, want %d, and %q on standard output:\n%.600s%s", p.exit, c.exit, c.out, p.out, p.errOut)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(merged, "report.html")); err != nil {
		t.Error(err)
	}
}
