// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// publishReport writes the published report of a driver into the folder, with a page that says how to repeat it. Every case
// passes unless change changes its result.
func publishReport(t *testing.T, folder string, of report.Implementation, change func(i int, r *suite.Result)) {
	t.Helper()
	run := report.Finished{Tier: "spec", CSI: requirement.Newest(), Command: "csi-topo spec --profile=csi.example.com.yaml"}
	for i, c := range specCases() {
		result := suite.Result{Listed: c, Verdict: suite.Passed}
		if change != nil {
			change(i, &result)
		}
		run.Results = append(run.Results, result)
	}
	r := report.FromResults(run, requirement.Lookup)
	r.Suite.Version, r.Suite.Began, r.Driver.Name, r.Implementation = "v0.1.0", "2026-11-28T10:00:00Z", of.Project+".example.com", of
	conformance.Complete(r)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	r.Digest = "sha256:0"
	if err := report.WriteYAML(folder, conformance.Publish(r)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "README.md"), []byte("# Reproduce\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// implementation returns a driver with all fields that a report requires.
func implementation(project, version string) report.Implementation {
	return report.Implementation{Organization: "Example Storage", Project: project, URL: "https://example.com/" + project, Version: version}
}

// everyNth gives every nth case one of the verdicts, in turn.
func everyNth(n int) func(i int, r *suite.Result) {
	return func(i int, r *suite.Result) {
		if i%n != 0 {
			return
		}
		r.Verdict = []suite.Verdict{suite.Failed, suite.Warned, suite.Errored, suite.Skipped}[i/n%4]
		r.Message = "NOT_FOUND: disk d-4711 is in the cellar"
		if r.Verdict == suite.Skipped {
			r.DecidedBy = suite.ByCapability
		}
	}
}

// failsOn fails every case that verifies one of the requirements, and blames them.
func failsOn(ids ...string) func(i int, r *suite.Result) {
	return func(_ int, r *suite.Result) {
		for _, id := range ids {
			if slices.Contains(r.Requirements, id) {
				r.Verdict, r.Message, r.Blamed = suite.Failed, "INTERNAL", append(r.Blamed, id)
			}
		}
	}
}

func TestReportCompare(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "page")
	unreleased := filepath.Join(dir, "unreleased")
	publishReport(t, filepath.Join(unreleased, "good"), implementation("good-csi", "v1"), nil)
	publishReport(t, filepath.Join(dir, "v0.1.0", "bad"), implementation("bad-csi", "v2"), everyNth(9))
	p := program(t, "", "report", "compare", dir, "--report-dir", out)
	if p.exit != report.ExitPassed {
		t.Fatalf("exit status %d:\n%s%s", p.exit, p.out, p.errOut)
	}
	for _, file := range []string{
		"index.html", "badges/good-csi-v1-spec-unreleased.svg", "unreleased/good/README.md", "unreleased/good/report.yaml", "v0.1.0/bad/report.yaml",
	} {
		if _, err := os.Stat(filepath.Join(out, file)); err != nil {
			t.Error(err)
		}
	}
}

func TestReportCompareRefuses(t *testing.T) {
	some := implementation("good-csi", "v1")
	for _, c := range []struct {
		name  string
		given func(t *testing.T, dir string)
		want  string // part of the only line
	}{
		{"no folder", func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, "has no reports"},
		{"no report", func(*testing.T, string) {}, "has no reports"},
		{"a folder without a report", func(t *testing.T, dir string) {
			if err := os.MkdirAll(filepath.Join(dir, "unreleased", "b"), 0o700); err != nil {
				t.Fatal(err)
			}
		}, filepath.Join("unreleased", "b", "report.yaml")},
		{"a driver twice", func(t *testing.T, dir string) {
			publishReport(t, filepath.Join(dir, "unreleased", "a"), some, nil)
			publishReport(t, filepath.Join(dir, "unreleased", "b"), some, everyNth(9))
		}, filepath.Join("b", "report.yaml") + " cannot be compared: it is of the same driver, version and tier as "},
		{"a report that is not published", func(t *testing.T, dir string) {
			publishReport(t, filepath.Join(dir, "unreleased", "a"), some, nil)
			change(t, filepath.Join(dir, "unreleased", "a"), func(r *report.ConformanceReport) { r.Original = "" })
		}, "is not published"},
		{"several reports in a file", func(t *testing.T, dir string) {
			publishReport(t, filepath.Join(dir, "unreleased", "a"), some, nil)
			text := "apiVersion: " + report.APIVersion + "\nkind: " + report.ListKind + "\n"
			if err := os.WriteFile(filepath.Join(dir, "unreleased", "a", "report.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "want a report.yaml of csi-topo"},
		{"one of two that verify refuses", func(t *testing.T, dir string) {
			publishReport(t, filepath.Join(dir, "unreleased", "a"), some, nil)
			publishReport(t, filepath.Join(dir, "unreleased", "b"), report.Implementation{Project: "other-csi"}, nil)
		}, filepath.Join("b", "report.yaml") + " cannot be compared: implementation.organization is empty"},
		{"a folder of another version", func(t *testing.T, dir string) {
			publishReport(t, filepath.Join(dir, "v0.2.0", "a"), some, nil)
		}, "csi-topo v0.1.0 wrote it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, out := filepath.Join(t.TempDir(), "reports"), filepath.Join(t.TempDir(), "page")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			c.given(t, dir)
			p := program(t, "", "report", "compare", dir, "--report-dir", out)
			if p.exit != report.ExitError || !strings.Contains(p.errOut, c.want) || strings.Contains(strings.TrimSpace(p.errOut), "\n") {
				t.Errorf("exit status %d, want %d and a line with %q:\n%s", p.exit, report.ExitError, c.want, p.errOut)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("something was written")
			}
		})
	}
}

// change rewrites the report in a folder.
func change(t *testing.T, folder string, change func(r *report.ConformanceReport)) {
	t.Helper()
	r, err := report.ReadFile(folder)
	if err != nil {
		t.Fatal(err)
	}
	change(r)
	if err := report.WriteYAML(folder, r); err != nil {
		t.Fatal(err)
	}
}
