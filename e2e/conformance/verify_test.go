// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"reflect"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// listed returns the cases of a tier with three cases.
func listed() []suite.Listed {
	return []suite.Listed{
		{ID: "T-EQ-1", Requirements: []string{"TR-07"}},
		{ID: "capacity_whole", Requirements: []string{"CAP-01"}},
		{ID: "snapshot_got", Requirements: []string{"GS-01"}},
	}
}

// whole returns a report that can be published, changed by change.
func whole(change func(r *report.ConformanceReport)) *report.ConformanceReport {
	r := reported(ended("T-EQ-1", suite.Passed, "", "TR-07"), ended("capacity_whole", suite.Warned, "", "CAP-01"), ended("snapshot_got", suite.Skipped, suite.ByCapability, "GS-01"))
	r.Suite.Version, r.Suite.Command = "v0.1.0", "csi-topo spec --profile=csi.example.com.yaml"
	r.Implementation = report.Implementation{Organization: "Example", Project: "example-csi", URL: "https://example.com", Version: "v1"}
	change(r)
	r.Summary = report.Summarize(r.Cases, 1)
	r.Requirements = report.RequirementsOf(r.Cases, requirement.Lookup)
	r.Profiles = Judge(r)
	return r
}

func TestVerify(t *testing.T) {
	for _, c := range []struct {
		name  string
		given func(r *report.ConformanceReport)
		want  string // part of the only problem; empty for none
	}{
		{"a whole report", func(*report.ConformanceReport) {}, ""},
		{"a failure", func(r *report.ConformanceReport) { r.Cases[0].Verdict = suite.Failed }, ""},
		{"of a commit", func(r *report.ConformanceReport) { r.Suite.Version, r.Suite.Commit = "(devel)", "0e6abee94c1d" }, ""},
		{"of nobody knows which suite", func(r *report.ConformanceReport) { r.Suite.Version = "(devel)" }, "which suite ran"},
		{"of a changed suite", func(r *report.ConformanceReport) { r.Suite.Commit = "0e6abee94c1d+dirty" }, "changed after the commit"},
		{"by no specification", func(r *report.ConformanceReport) { r.Suite.CSI = "2.0" }, "suite.csi"},
		{"without the vendor", func(r *report.ConformanceReport) { r.Implementation.URL = "" }, "implementation.url"},
		{"of a back end that lacks what nobody knows", func(r *report.ConformanceReport) {
			r.Implementation.Backend = report.Backend{Kind: "fake", Lacks: []string{"no-luck"}}
		}, "implementation.backend.lacks"},
		{"of a fake", func(r *report.ConformanceReport) {
			r.Implementation.Backend = report.Backend{Kind: "fake", Lacks: []string{"no-growth"}}
		}, ""},
		{"of a Go test", func(r *report.ConformanceReport) { r.Suite.Command = "" }, "suite.command"},
		{"a case that was left out of another profile", func(r *report.ConformanceReport) {
			r.Cases[1].Verdict, r.Cases[1].DecidedBy = suite.Skipped, suite.ByFilter
		}, ""},
		{"a case that was left out of the core profile", func(r *report.ConformanceReport) {
			r.Cases[0].Verdict, r.Cases[0].DecidedBy = suite.Skipped, suite.ByFilter
		}, "was left out"},
		{"a waiver in the core profile", func(r *report.ConformanceReport) {
			r.Cases[0].Verdict, r.Cases[0].DecidedBy = suite.Skipped, suite.ByWaiver
			r.Cases[0].Waived = []suite.SetAside{{Waiver: suite.Waiver{Requirement: "TR-07", Reason: "known"}, Clauses: []string{"TR-07"}}}
		}, "is waived"},
		{"a case that did not run", func(r *report.ConformanceReport) { r.Cases[1].Verdict, r.Cases[1].Reason = suite.Errored, suite.NotRun }, "not run"},
		{"a case that is missing", func(r *report.ConformanceReport) { r.Cases = r.Cases[:2] }, "snapshot_got is missing"},
		{"a case that is there twice", func(r *report.ConformanceReport) { r.Cases = append(r.Cases, r.Cases[1]) }, "twice"},
		{"a case that does not exist", func(r *report.ConformanceReport) { r.Cases = append(r.Cases, ended("T-0", suite.Passed, "", "TR-07")) }, "does not exist"},
		{"a case of csi-sanity", func(r *report.ConformanceReport) { r.Cases = append(r.Cases, ended("sanity_1_001", suite.Passed, "")) }, ""},
		{"a case on something else", func(r *report.ConformanceReport) { r.Cases[0].Requirements = []string{"TR-08"} }, "verifies TR-08"},
		{"a case that only seems provisional", func(r *report.ConformanceReport) { r.Cases[0].Provisional = true }, "called provisional"},
		{"a message in a published report", func(r *report.ConformanceReport) { r.Original, r.Cases[1].Message = "sha256:0", "no such disk" }, "texts of the driver"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Verify(whole(c.given), listed())
			switch {
			case c.want == "" && err != nil:
				t.Errorf("want no problem, got %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")):
				t.Errorf("want one problem, %q, got %v", c.want, err)
			}
		})
	}
}

func TestVerifyTotals(t *testing.T) {
	for name, change := range map[string]func(r *report.ConformanceReport){
		"the summary":               func(r *report.ConformanceReport) { r.Summary.Pass = 2 },
		"a verdict":                 func(r *report.ConformanceReport) { r.Requirements[0].Verdict = suite.Failed },
		"a requirement":             func(r *report.ConformanceReport) { r.Requirements = r.Requirements[1:] },
		"the outcome of a profile":  func(r *report.ConformanceReport) { r.Profiles[0].Outcome = report.Failure },
		"a profile that is missing": func(r *report.ConformanceReport) { r.Profiles = r.Profiles[1:] },
	} {
		r := whole(func(*report.ConformanceReport) {})
		change(r)
		if err := Verify(r, listed()); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestPublish(t *testing.T) {
	r := whole(func(r *report.ConformanceReport) {
		r.Digest = "sha256:1"
		r.Implementation.Backend = report.Backend{Kind: "fake", Lacks: []string{"no-mounts"}}
		r.Environment.Zones, r.Environment.Segments = []string{"rack-in-berlin"}, []report.Segment{{Name: "rack-in-berlin"}}
		r.Cases[1].Message = "CreateVolume: RESOURCE_EXHAUSTED: pool \"secret-pool\" is full\nthen OK, and RESOURCE_EXHAUSTED"
		r.Cases[2].Reason = "the driver says UNIMPLEMENTED: ask sales@example.com"
		r.Cases[0].Evidence = []report.Evidence{{Name: "volume"}}
		r.Cases[0].Placement = &suite.Placement{}
		r.Cases[0].Area = "requisite, x = n"
		r.Cases = append(r.Cases, report.Case{ID: "sanity_1_001", Area: "csi-sanity, rack-in-berlin", Requirements: []string{}, Verdict: suite.Passed})
	})
	got := Publish(r)
	if err := Verify(got, listed()); err != nil {
		t.Errorf("want a published report that can stand for its driver, got %v", err)
	}
	if !reflect.DeepEqual(got.Implementation, r.Implementation) {
		t.Errorf("want the implementation with its back end, got %+v", got.Implementation)
	}
	c := got.Cases
	if c[1].Message != "RESOURCE_EXHAUSTED, OK" || c[2].Reason != "UNIMPLEMENTED" || c[0].Evidence != nil || c[0].Placement != nil || c[3].Area != "csi-sanity" || c[0].Area != "requisite, x = n" {
		t.Errorf("want nothing of the driver but codes, got %+v", c)
	}
	if got.Original != "sha256:1" || got.Environment.Segments != nil || got.Environment.Zones[0] != "zone 1" {
		t.Errorf("want the original's digest and no names of zones, got %q, %+v", got.Original, got.Environment)
	}
	if r.Cases[1].Message == c[1].Message {
		t.Error("the original was changed")
	}
}
