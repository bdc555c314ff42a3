// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2/reporters"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

const wantYAML = `apiVersion: csi-topo/v1alpha1
kind: ConformanceReport
suite:
  version: v0.1.0
  commit: ""
  seed: 7
driver:
  name: hostpath.topo.csi
  version: ""
  capabilities: []
environment:
  tier: spec
  kubernetes: ""
  nodes: 4
  zones: []
  sidecars: {}
summary:
  pass: 1
  fail: 0
  warn: 0
  error: 0
  skip: 0
  seconds: 0
requirements:
  - id: TR-01
    level: MUST
    grades: vendor
    verdict: pass
    cases:
      - T-1
cases:
  - id: T-1
    tier: spec
    area: placement
    text: puts the volume where it was asked
    requirements:
      - TR-01
    verdict: pass
    seconds: 1.5
    evidence:
      - name: answer
        value:
          zone: Z2
          bytes: 9007199254740993
          id: "123"
    calls:
      first: 1
      last: 2
`

const wantCalls = `{"method":"CreateVolume"}
{"method":"DeleteVolume"}
`

// ended returns the result of a case with one requirement.
func ended(id string, r suite.Result) suite.Result {
	r.Listed = suite.NewListed(id, "placement", "puts the volume where it was asked", []string{"case:" + id, "req:TR-01", "smoke"})
	r.Took = 1500 * time.Millisecond
	return r
}

func levels(id string) (level, grades string, ok bool) {
	return "MUST", "vendor", id == "TR-01"
}

func TestWriteDirWritesTheReportAsDesigned(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "by", "need")
	run := Finished{Tier: "spec", Seed: 7, Results: []suite.Result{ended("T-1", suite.Result{
		Verdict:  suite.Passed,
		Evidence: []suite.Proof{{Name: "answer", Value: json.RawMessage(`{"zone":"Z2","bytes":9007199254740993,"id":"123"}`)}},
		Calls:    suite.Recorded{json.RawMessage(`{"method":"CreateVolume"}`), json.RawMessage(`{"method":"DeleteVolume"}`)},
	})}}
	r := FromResults(run, levels)
	r.Suite.Version, r.Driver.Name, r.Environment.Nodes = "v0.1.0", "hostpath.topo.csi", 4

	for range 2 { // the second report replaces the first
		if err := WriteDir(dir, r, run); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"report.yaml": wantYAML, "calls.jsonl": wantCalls} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		content, _, _ := strings.Cut(string(got), digestField)
		if diff := cmp.Diff(want, content); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]string{"calls.jsonl", "junit.xml", "report.yaml"}, names(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	run.Results[0].Calls = nil // a run without calls removes the calls of an earlier one
	if err := WriteDir(dir, FromResults(run, levels), run); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"junit.xml", "report.yaml"}, names(t, dir)); diff != "" {
		t.Errorf("files without calls (-want +got):\n%s", diff)
	}
}

func TestJUnitTellsFailuresFromErrors(t *testing.T) {
	type outcome struct{ Status, Failure, Error, Skipped string }
	cases := []struct {
		name  string
		given suite.Result
		want  outcome
	}{
		{"a failure", suite.Result{Verdict: suite.Failed, Message: "asked for Z2, got Z3\nat placement.go:11"},
			outcome{Status: "failed", Failure: "asked for Z2, got Z3\nat placement.go:11"}},
		{"could not tell", suite.Result{Verdict: suite.Errored, Reason: suite.CouldNot, Message: "the watch broke"},
			outcome{Status: "interrupted", Error: "could not tell: the watch broke"}},
		{"not run", suite.Result{Verdict: suite.Errored, Reason: suite.NotRun, Message: "the run ended before this case began"},
			outcome{Status: "interrupted", Error: "not run: the run ended before this case began"}},
		{"skipped", suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByCapability, Reason: "no snapshots"},
			outcome{Status: "skipped", Skipped: "skipped - capability: no snapshots"}},
		{"a warning", suite.Result{Verdict: suite.Warned, Message: "slow"}, outcome{Status: "passed"}},
		{"a pass that showed less", suite.Result{Verdict: suite.Passed, Reason: "shown with 2 segments"}, outcome{Status: "passed"}},
	}
	run := Finished{Tier: "spec", Seed: 7, Shuffle: true, Took: 9 * time.Second, Began: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	for _, c := range cases {
		run.Results = append(run.Results, ended(c.name, c.given))
	}
	dir := t.TempDir()
	if err := WriteDir(dir, FromResults(run, levels), run); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "junit.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var got reporters.JUnitTestSuites // as CI systems know it
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 6 || got.Failures != 1 || got.Errors != 2 || got.Disabled != 1 {
		t.Errorf("want 6 tests, 1 failure, 2 errors and 1 skipped, got %d, %d, %d and %d", got.Tests, got.Failures, got.Errors, got.Disabled)
	}
	one := got.TestSuites[0]
	if one.Name != "csi-topo spec" || one.Time != 9 || one.Timestamp != "2026-01-02T03:04:05" || one.Properties.WithName("RandomSeed") != "7" || one.Properties.WithName("SuiteSucceeded") != "false" {
		t.Errorf("the suite is %q, of %g s from %s, with %+v", one.Name, one.Time, one.Timestamp, one.Properties)
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			test := one.TestCases[i]
			name := "placement " + c.name + " puts the volume where it was asked [Serial, case:" + c.name + ", req:TR-01, smoke]"
			if test.Name != name || test.Classname != "csi-topo spec" || test.Time != 1.5 {
				t.Errorf("want %q of csi-topo spec with 1.5 s, got %q of %s with %g s", name, test.Name, test.Classname, test.Time)
			}
			said := outcome{Status: test.Status}
			if test.Failure != nil {
				said.Failure = test.Failure.Message
			}
			if test.Error != nil {
				said.Error = test.Error.Message
			}
			if test.Skipped != nil {
				said.Skipped = test.Skipped.Message
			}
			if diff := cmp.Diff(c.want, said); diff != "" {
				t.Errorf("test case (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteDirLeavesNoPartBehind(t *testing.T) {
	dir := t.TempDir()
	occupied := filepath.Join(dir, "report.yaml", "by a directory")
	if err := os.MkdirAll(occupied, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, FromResults(Finished{}, levels), Finished{}); err == nil {
		t.Error("want an error")
	}
	if diff := cmp.Diff([]string{"report.yaml"}, names(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	return found
}
