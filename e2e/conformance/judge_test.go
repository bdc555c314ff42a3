// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// reported returns the report of a run with these cases, judged by the newest specification.
func reported(cases ...report.Case) *report.ConformanceReport {
	return &report.ConformanceReport{Suite: report.Suite{CSI: "1.13"}, Cases: cases}
}

// ended returns a case on requirements that ended in a verdict.
func ended(id string, v suite.Verdict, by suite.DecidedBy, requirements ...string) report.Case {
	return report.Case{ID: id, Requirements: requirements, Verdict: v, DecidedBy: by}
}

// TestJudge checks the examples of docs/conformance.md, and the edge cases of the rule.
func TestJudge(t *testing.T) {
	passed := ended("T-1", suite.Passed, "", "CAP-01")
	blaming := ended("T-2", suite.Failed, "", "CAP-01", "CAP-07")
	blaming.Blamed = []string{"CAP-07"}
	waived := ended("T-2", suite.Skipped, suite.ByWaiver, "CAP-07")
	waived.Waived = []suite.SetAside{{Waiver: suite.Waiver{Requirement: "CAP-07", Reason: "known"}, Clauses: []string{"CAP-07"}}}
	provisional := ended("T-2", suite.Failed, "", "CAP-07")
	provisional.Provisional = true
	for _, c := range []struct {
		name  string
		given []report.Case
		want  report.Profile
	}{
		{"all that is claimed holds", []report.Case{passed, ended("T-2", suite.Skipped, suite.ByCapability, "CAP-14")},
			report.Profile{Outcome: report.Success, Held: []string{"CAP-01"}, NotClaimed: []string{"CAP-14"}}},
		{"a warning", []report.Case{passed, ended("T-2", suite.Warned, "", "CAP-07")},
			report.Profile{Outcome: report.Success, Held: []string{"CAP-01", "CAP-07"}}},
		{"a warning by a SHOULD", []report.Case{passed, ended("T-2", suite.Warned, "", "CAP-03")},
			report.Profile{Outcome: report.Success, Held: []string{"CAP-01"}}},
		{"a failure", []report.Case{passed, blaming},
			report.Profile{Outcome: report.Failure, Held: []string{"CAP-01"}, Failed: []string{"CAP-07"}}},
		{"a failure and what could not be told", []report.Case{blaming, ended("T-3", suite.Errored, "", "CAP-04")},
			report.Profile{Outcome: report.Failure, Failed: []string{"CAP-07"}, Open: []string{"CAP-01", "CAP-04"}}},
		{"an error", []report.Case{passed, ended("T-2", suite.Errored, "", "CAP-07")},
			report.Profile{Outcome: report.Partial, Held: []string{"CAP-01"}, Open: []string{"CAP-07"}}},
		{"claimed, and not exercised for lack of zones", []report.Case{passed, ended("T-2", suite.Skipped, suite.ByEnvironment, "CAP-07")},
			report.Profile{Outcome: report.Partial, Held: []string{"CAP-01"}, Open: []string{"CAP-07"}}},
		{"claimed, and declared away by the vendor", []report.Case{passed, ended("T-2", suite.Skipped, suite.ByProfile, "CAP-07")},
			report.Profile{Outcome: report.Partial, Held: []string{"CAP-01"}, Open: []string{"CAP-07"}}},
		{"a waiver", []report.Case{passed, waived},
			report.Profile{Outcome: report.Partial, Held: []string{"CAP-01"}, Open: []string{"CAP-07"}}},
		{"a case that was left out", []report.Case{passed, ended("T-2", suite.Skipped, suite.ByFilter, "CAP-01")},
			report.Profile{Outcome: report.Partial, Open: []string{"CAP-01"}}},
		{"a provisional case", []report.Case{passed, provisional},
			report.Profile{Outcome: report.Success, Held: []string{"CAP-01"}}},
		{"nothing that is claimed", []report.Case{ended("T-1", suite.Skipped, suite.ByCapability, "CAP-01")},
			report.Profile{Outcome: report.NotClaimed, NotClaimed: []string{"CAP-01"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want.Name = "capacity"
			if diff := cmp.Diff([]report.Profile{c.want}, Judge(reported(c.given...))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestJudgeOfWhatNoCapabilityClaims(t *testing.T) {
	r := reported(ended("T-1", suite.Passed, "", "CAP-01"))
	for _, c := range []struct {
		capability string
		want       report.Outcome
	}{{"CREATE_DELETE_VOLUME", report.NotClaimed}, {"GET_CAPACITY", report.Success}} {
		r.Driver.Capabilities = []string{c.capability}
		if got := Judge(r)[0].Outcome; got != c.want {
			t.Errorf("%s: want %s, got %s", c.capability, c.want, got)
		}
	}
	r.Driver.Capabilities = []string{"CREATE_DELETE_VOLUME"}
	r.Cases[0].Verdict = suite.Failed
	if got := Judge(r)[0].Outcome; got != report.Failure {
		t.Errorf("want a failure although GET_CAPACITY is not claimed, got %s", got)
	}
}

// TestClaimsAreCapabilities checks that no profile waits for a capability that no driver can list.
func TestClaimsAreCapabilities(t *testing.T) {
	known := map[string]bool{"VOLUME_EXPANSION_ONLINE": true, "VOLUME_EXPANSION_OFFLINE": true}
	for _, names := range []map[string]int32{csi.PluginCapability_Service_Type_value, csi.ControllerServiceCapability_RPC_Type_value} {
		for name := range names {
			known[name] = true
		}
	}
	for _, p := range requirement.Profiles() {
		for _, claim := range p.Claims {
			if !known[claim] {
				t.Errorf("profile %s: no driver can list the capability %s", p.Name, claim)
			}
		}
	}
}

// TestJudgeOfWideCases checks that a wide case fails the requirements that it blames, and proves none.
func TestJudgeOfWideCases(t *testing.T) {
	skipped := ended("T-1", suite.Skipped, suite.ByEnvironment, "CAP-01")
	wide := ended("combinations_block", suite.Passed, "", "CAP-01", "CAP-07")
	if diff := cmp.Diff(report.Profile{Name: "capacity", Outcome: report.Partial, Open: []string{"CAP-01"}}, Judge(reported(skipped, wide))[0]); diff != "" {
		t.Errorf("a wide case that passes (-want +got):\n%s", diff)
	}
	wide.Verdict, wide.Blamed = suite.Failed, []string{"CAP-07"}
	want := report.Profile{Name: "capacity", Outcome: report.Failure, Open: []string{"CAP-01"}, Failed: []string{"CAP-07"}}
	if diff := cmp.Diff(want, Judge(reported(skipped, wide))[0]); diff != "" {
		t.Errorf("a wide case that fails (-want +got):\n%s", diff)
	}
}

func TestJudgeOfWhatIsDeclared(t *testing.T) {
	got := Judge(reported(ended("T-EQ-2", suite.Skipped, suite.ByProfile, "TR-10")))
	if len(got) != 1 || got[0].Name != "several-zones" || got[0].Outcome != report.NotClaimed {
		t.Errorf("want several zones not claimed without such volumes in the vendor's profile, got %+v", got)
	}
}

func TestJudgeByAnOlderSpecification(t *testing.T) {
	r := reported(ended("T-1", suite.Passed, "", "CAP-01"), ended("T-2", suite.Failed, "", "CAP-23"))
	if got := Judge(r)[0].Outcome; got != report.Failure {
		t.Errorf("CSI 1.13: want a failure by CAP-23, got %s", got)
	}
	r.Suite.CSI = "1.3"
	if got := Judge(r)[0].Outcome; got != report.Success {
		t.Errorf("CSI 1.3, which has no minimum_volume_size: want success, got %s", got)
	}
}

func TestJudgeLeavesOutWhatWasNotSelected(t *testing.T) {
	got := Judge(reported(ended("T-1", suite.Skipped, suite.ByFilter, "CAP-01"), ended("T-EQ-1", suite.Passed, "", "TR-01")))
	if names := slices.Collect(func(yield func(string) bool) {
		for _, p := range got {
			if !yield(p.Name) {
				return
			}
		}
	}); !slices.Equal(names, []string{"topology"}) {
		t.Errorf("want topology alone, got %v", names)
	}
}
