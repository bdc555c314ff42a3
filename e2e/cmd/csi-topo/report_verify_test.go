// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestReportVerifyAndPublish verifies and publishes the report of a run where every case passed but one, whose warning
// quotes the driver.
func TestReportVerifyAndPublish(t *testing.T) {
	run := report.Finished{Tier: "spec", CSI: requirement.Newest(), Command: "csi-topo spec --profile=csi.example.com.yaml"}
	for _, c := range specCases() {
		run.Results = append(run.Results, suite.Result{Listed: c, Verdict: suite.Passed})
	}
	run.Results[0].Verdict, run.Results[0].Message = suite.Warned, "NOT_FOUND: disk d-4711 is in the cellar"
	r := report.FromResults(run, requirement.Lookup)
	r.Suite.Version = "v0.1.0"
	r.Implementation = report.Implementation{Organization: "Example", Project: "example-csi", URL: "https://example.com", Version: "v1"}
	conformance.Complete(r)
	dir, public := t.TempDir(), filepath.Join(t.TempDir(), "public")
	if err := report.WriteYAML(dir, r); err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct {
		name string
		args []string
		exit int
	}{
		{"a whole report", []string{"verify", dir, "--suite-version", "v0.1.0"}, report.ExitPassed},
		{"of another version", []string{"verify", dir, "--suite-version", "v0.2.0"}, report.ExitFailed},
		{"publishing", []string{"publish", dir, "--report-dir", public}, report.ExitPassed},
		{"a published report", []string{"verify", public}, report.ExitPassed},
		{"none", []string{"verify", filepath.Join(dir, "none")}, report.ExitFailed},
	} {
		if p := program(t, "", append([]string{"report"}, c.args...)...); p.exit != c.exit {
			t.Errorf("%s: want exit status %d, got %d\n%s%s", c.name, c.exit, p.exit, p.out, p.errOut)
		}
	}
	file := filepath.Join(public, "report.yaml")
	content, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(content), "d-4711") || !strings.Contains(string(content), "message: NOT_FOUND\n") {
		t.Errorf("want the code of the message and nothing else of it (%v)", err)
	}
	if err := os.WriteFile(file, bytes.Replace(content, []byte("verdict: warn"), []byte("verdict: pass"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if p := program(t, "", "report", "verify", public); p.exit != report.ExitFailed || !strings.Contains(p.errOut, "was changed") {
		t.Errorf("a changed report: exit status %d\n%s", p.exit, p.errOut)
	}
}
