// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2/reporters"
	"github.com/onsi/ginkgo/v2/types"

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

func TestWriteDirWritesTheReportAsDesigned(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "by", "need")
	passed := spec(10, "T-1", types.SpecStatePassed)
	proof := suite.Proof{Name: "answer", Value: json.RawMessage(`{"zone":"Z2","bytes":9007199254740993,"id":"123"}`)}
	passed.ReportEntries = append(passed.ReportEntries, types.ReportEntry{Name: "answer", Value: types.WrapEntryValue(proof)})
	calls := suite.Recording(func() []json.RawMessage {
		return []json.RawMessage{json.RawMessage(`{"method":"CreateVolume"}`), json.RawMessage(`{"method":"DeleteVolume"}`)}
	})
	passed.ReportEntries = append(passed.ReportEntries, types.ReportEntry{Name: "calls", Value: types.WrapEntryValue(calls)})
	run := types.Report{SuiteConfig: types.SuiteConfig{RandomSeed: 7}, SpecReports: types.SpecReports{passed}}
	r := FromGinkgo(run, "spec", levels)
	r.Suite.Version, r.Driver.Name, r.Environment.Nodes = "v0.1.0", "hostpath.topo.csi", 4

	for range 2 { // the second report takes the place of the first
		if err := WriteDir(dir, r, run); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"report.yaml": wantYAML, "calls.jsonl": wantCalls} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]string{"calls.jsonl", "junit.xml", "report.yaml"}, names(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestWriteDirTellsFailuresFromErrorsInJUnit(t *testing.T) {
	couldNotTell := spec(20, "T-2", types.SpecStateFailed, suite.Mark{Verdict: suite.Errored, Message: "asked for Z2, got Z3"})
	run := types.Report{SpecReports: types.SpecReports{
		spec(10, "T-1", types.SpecStateFailed),
		couldNotTell,
		spec(30, "T-3", types.SpecStateTimedout),
		spec(40, "T-4", types.SpecStateSkipped, suite.Mark{Verdict: suite.Skipped, DecidedBy: suite.ByCapability, Message: "no snapshots"}),
		spec(50, "T-5", types.SpecStatePassed, suite.Mark{Verdict: suite.Warned, Message: "slow"}),
		{LeafNodeType: types.NodeTypeReportBeforeSuite, State: types.SpecStatePassed},
	}}
	dir := t.TempDir()
	if err := WriteDir(dir, FromGinkgo(run, "spec", levels), run); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "junit.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var got reporters.JUnitTestSuites
	if err := xml.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 5 || got.Failures != 1 || got.Errors != 2 || got.Disabled != 1 {
		t.Errorf("want 5 tests, 1 failure, 2 errors and 1 skipped, got %d, %d, %d and %d", got.Tests, got.Failures, got.Errors, got.Disabled)
	}
	cases := got.TestSuites[0].TestCases
	if cases[1].Error == nil || cases[1].Error.Message != "could not tell: asked for Z2, got Z3\nat placement.go:21" {
		t.Errorf("T-2: want an error that says what could not be told, got %+v", cases[1].Error)
	}
	if cases[3].Skipped == nil || cases[3].Skipped.Message != "skipped - capability: no snapshots" {
		t.Errorf("T-4: want who decided and why, got %+v", cases[3].Skipped)
	}
}

func TestWriteDirLeavesNoPartBehind(t *testing.T) {
	dir := t.TempDir()
	occupied := filepath.Join(dir, "report.yaml", "by a directory")
	if err := os.MkdirAll(occupied, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, FromGinkgo(types.Report{}, "spec", levels), types.Report{}); err == nil {
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
