// SPDX-License-Identifier: Apache-2.0

package report

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// spec is a case of area "placement" on its own line, with its id before its text as the runner puts it.
func spec(line int, id string, state types.SpecState, marks ...suite.Mark) types.SpecReport {
	s := types.SpecReport{
		ContainerHierarchyTexts: []string{"placement"},
		LeafNodeType:            types.NodeTypeIt,
		LeafNodeText:            id + " puts the volume where it was asked",
		LeafNodeLabels:          verdict.Case(id, "TR-01"),
		LeafNodeLocation:        types.CodeLocation{FileName: "placement.go", LineNumber: line},
		State:                   state,
		RunTime:                 1500 * time.Millisecond,
	}
	for _, mark := range marks {
		s.ReportEntries = append(s.ReportEntries, types.ReportEntry{Value: types.WrapEntryValue(mark)})
		s.Failure.Message = mark.Message
	}
	if state == types.SpecStateFailed {
		s.Failure.Message = "asked for Z2, got Z3"
		s.Failure.FailureNodeType = types.NodeTypeIt
		s.Failure.Location = types.CodeLocation{FileName: "placement.go", LineNumber: line + 1}
	}
	return s
}

// at is a case whose failure is at the same line of another file.
func at(s types.SpecReport, file string) types.SpecReport {
	s.Failure.Location.FileName = file
	return s
}

func levels(id string) (level, grades string, ok bool) {
	return "MUST", "vendor", id == "TR-01"
}

func TestFromGinkgo(t *testing.T) {
	setUp := types.SpecReport{LeafNodeType: types.NodeTypeBeforeSuite, State: types.SpecStateFailed,
		Failure: types.Failure{Message: "no driver", FailureNodeType: types.NodeTypeBeforeSuite, Location: types.CodeLocation{FileName: "suite.go", LineNumber: 3}}}
	const text = "puts the volume where it was asked"
	for _, test := range []struct {
		name  string
		given types.Report
		want  []Case
		total Summary
	}{
		{
			name: "cases in the order of their declaration, not of the seed",
			given: types.Report{SpecReports: types.SpecReports{
				spec(20, "T-2", types.SpecStateFailed), spec(10, "T-1", types.SpecStatePassed)}},
			want: []Case{
				{ID: "T-1", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Passed, Seconds: 1.5},
				{ID: "T-2", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Failed, Seconds: 1.5,
					Message: "asked for Z2, got Z3\nat placement.go:21"},
			},
			total: Summary{Pass: 1, Fail: 1},
		},
		{
			name:  "a case that another case's label left out",
			given: types.Report{SuiteConfig: types.SuiteConfig{LabelFilter: "case:T-2"}, SpecReports: types.SpecReports{spec(10, "T-1", types.SpecStateSkipped)}},
			want: []Case{{ID: "T-1", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Skipped,
				DecidedBy: suite.ByFilter, Reason: "not among the cases asked for", Seconds: 1.5}},
			total: Summary{Skip: 1},
		},
		{
			name:  "a case that the label filter left out",
			given: types.Report{SuiteConfig: types.SuiteConfig{LabelFilter: "req:TR-09"}, SpecReports: types.SpecReports{spec(10, "T-1", types.SpecStateSkipped)}},
			want: []Case{{ID: "T-1", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Skipped,
				DecidedBy: suite.ByFilter, Reason: "not among the cases asked for", Seconds: 1.5}},
			total: Summary{Skip: 1},
		},
		{
			name: "a case that was asked for and that an interrupt kept from running",
			given: types.Report{SuiteConfig: types.SuiteConfig{LabelFilter: "/^case:(T-1|T-2)$/ && !case:T-3"},
				SpecReports: types.SpecReports{spec(10, "T-1", types.SpecStateSkipped)}},
			want: []Case{{ID: "T-1", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Errored,
				Reason: "not run", Message: "the run ended before this case began", Seconds: 1.5}},
			total: Summary{Error: 1},
		},
		{
			name:  "a case that skipped itself although the filters name it",
			given: types.Report{SpecReports: types.SpecReports{spec(10, "T-1", types.SpecStateSkipped, suite.Mark{Verdict: suite.Skipped, DecidedBy: suite.ByWaiver, Message: "one zone by design"})}},
			want: []Case{{ID: "T-1", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Skipped,
				DecidedBy: suite.ByWaiver, Reason: "one zone by design", Seconds: 1.5}},
			total: Summary{Skip: 1},
		},
		{
			name:  "a failure that says where in the builder's directories",
			given: types.Report{SpecReports: types.SpecReports{at(spec(10, "T-1", types.SpecStateFailed), "/home/somebody/csi-topo/e2e/spec/placement/t_eq.go")}},
			want: []Case{{ID: "T-1", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Failed, Seconds: 1.5,
				Message: "asked for Z2, got Z3\nat e2e/spec/placement/t_eq.go:11"}},
			total: Summary{Fail: 1},
		},
		{
			name:  "a set-up of the suite that failed",
			given: types.Report{SpecReports: types.SpecReports{setUp}},
			want: []Case{{ID: "BeforeSuite", Area: "suite", Requirements: []string{}, Verdict: suite.Errored, Reason: "set-up failed",
				Message: "no driver\nat suite.go:3"}},
			total: Summary{Error: 1},
		},
		{
			name:  "a run that was interrupted between two cases",
			given: types.Report{SpecialSuiteFailureReasons: []string{"Interrupted by User"}, SpecReports: types.SpecReports{spec(10, "T-1", types.SpecStatePassed)}},
			want: []Case{
				{ID: "T-1", Area: "placement", Text: text, Requirements: []string{"TR-01"}, Verdict: suite.Passed, Seconds: 1.5},
				{ID: "suite", Area: "suite", Requirements: []string{}, Verdict: suite.Errored, Reason: "the run did not end as it should", Message: "Interrupted by User"},
			},
			total: Summary{Pass: 1, Error: 1},
		},
		{
			name:  "Ginkgo's report nodes are no cases",
			given: types.Report{SpecReports: types.SpecReports{{LeafNodeType: types.NodeTypeReportBeforeSuite, State: types.SpecStatePassed}}},
			want:  []Case{},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i := range test.want {
				test.want[i].Tier = "spec"
			}
			got := FromGinkgo(test.given, "spec", levels)
			if diff := cmp.Diff(test.want, got.Cases, cmpopts.IgnoreTypes(Evidence{}), cmpopts.IgnoreUnexported(Case{})); diff != "" {
				t.Errorf("cases (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.total, got.Summary); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
		})
	}
}
