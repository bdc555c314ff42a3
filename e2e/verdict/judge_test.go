// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2/types"
)

func TestJudge(t *testing.T) {
	here := types.CodeLocation{FileName: "case.go", LineNumber: 7}
	within := types.CodeLocation{FileName: "case.go", LineNumber: 9, FullStackTrace: "called from here"}
	failedIn := func(node types.NodeType) types.SpecReport {
		return types.SpecReport{State: types.SpecStateFailed, Failure: types.Failure{Message: "wanted Z2, got Z3", Location: here, FailureNodeType: node}}
	}
	ended := func(state types.SpecState, message string) types.SpecReport {
		return types.SpecReport{State: state, Failure: types.Failure{Message: message, Location: here, FailureNodeType: types.NodeTypeIt}}
	}
	for _, test := range []struct {
		name  string
		given types.SpecReport
		want  Judgement
	}{
		{
			name:  "nothing went wrong",
			given: types.SpecReport{State: types.SpecStatePassed},
			want:  Judgement{Verdict: Pass},
		},
		{
			name:  "an assertion failed in the case",
			given: failedIn(types.NodeTypeIt),
			want:  Judgement{Verdict: Fail, Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "an assertion failed in the case and another in the clean-up",
			given: withAdditional(failedIn(types.NodeTypeIt), failedIn(types.NodeTypeCleanupAfterEach)),
			want:  Judgement{Verdict: Fail, Message: "wanted Z2, got Z3\nat case.go:7\nthen, in DeferCleanup (Each): wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "an assertion failed in BeforeEach",
			given: failedIn(types.NodeTypeBeforeEach),
			want:  Judgement{Verdict: Error, Reason: "set-up failed", Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "an assertion failed in BeforeSuite",
			given: failedIn(types.NodeTypeBeforeSuite),
			want:  Judgement{Verdict: Error, Reason: "set-up failed", Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "an assertion failed in AfterEach",
			given: failedIn(types.NodeTypeAfterEach),
			want:  Judgement{Verdict: Error, Reason: "clean-up failed", Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "an assertion failed in DeferCleanup",
			given: failedIn(types.NodeTypeCleanupAfterEach),
			want:  Judgement{Verdict: Error, Reason: "clean-up failed", Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "the case could not tell",
			given: marked(failedIn(types.NodeTypeIt), Mark{Verdict: Error, Message: "wanted Z2, got Z3"}),
			want:  Judgement{Verdict: Error, Reason: "could not tell", Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "an assertion failed before another goroutine could not tell",
			given: marked(failedIn(types.NodeTypeIt), Mark{Verdict: Error, Message: "the connection broke"}),
			want:  Judgement{Verdict: Fail, Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name: "the case panicked",
			given: types.SpecReport{State: types.SpecStatePanicked,
				Failure: types.Failure{Message: "Test Panicked", ForwardedPanic: "nil map", Location: here, FailureNodeType: types.NodeTypeIt}},
			want: Judgement{Verdict: Error, Reason: "panicked", Message: "Test Panicked: nil map\nat case.go:7"},
		},
		{
			name:  "the case ran out of time",
			given: ended(types.SpecStateTimedout, "A node timeout occurred"),
			want:  Judgement{Verdict: Error, Reason: "timed out", Message: "A node timeout occurred\nat case.go:7"},
		},
		{
			name:  "the user interrupted the case",
			given: ended(types.SpecStateInterrupted, "Interrupted by User"),
			want:  Judgement{Verdict: Error, Reason: "interrupted", Message: "Interrupted by User"},
		},
		{
			name:  "the case aborted the suite",
			given: ended(types.SpecStateAborted, "no use to go on"),
			want:  Judgement{Verdict: Error, Reason: "aborted", Message: "no use to go on\nat case.go:7"},
		},
		{
			name:  "the case is pending",
			given: types.SpecReport{State: types.SpecStatePending, LeafNodeLabels: Case("T-1", "TR-07")},
			want:  Judgement{Verdict: Error, Reason: "marked as pending in the suite"},
		},
		{
			name:  "a case of another suite is pending",
			given: types.SpecReport{State: types.SpecStatePending, LeafNodeLabels: Unregistered("sanity_1_006")},
			want:  Judgement{Verdict: Skipped, DecidedBy: ByEnvironment, Reason: "its suite marks it as pending"},
		},
		{
			name:  "the case showed less than it does in full",
			given: marked(types.SpecReport{State: types.SpecStatePassed}, Mark{Verdict: Pass, DecidedBy: ByEnvironment, Message: "shown with 2 segments"}),
			want:  Judgement{Verdict: Pass, DecidedBy: ByEnvironment, Reason: "shown with 2 segments"},
		},
		{
			name:  "it warned",
			given: marked(types.SpecReport{State: types.SpecStatePassed}, Mark{Verdict: Warning, Message: "slow"}, Mark{Verdict: Warning, Message: "vague"}),
			want:  Judgement{Verdict: Warning, Message: "slow\nvague"},
		},
		{
			name:  "it warned and then failed",
			given: marked(failedIn(types.NodeTypeIt), Mark{Verdict: Warning, Message: "slow"}),
			want:  Judgement{Verdict: Fail, Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "it warned and then its clean-up failed",
			given: marked(failedIn(types.NodeTypeAfterEach), Mark{Verdict: Warning, Message: "slow"}),
			want:  Judgement{Verdict: Error, Reason: "clean-up failed", Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "the driver died of the clean-up",
			given: marked(failedIn(types.NodeTypeCleanupAfterEach), Mark{Verdict: Fail, Message: "wanted Z2, got Z3"}),
			want:  Judgement{Verdict: Fail, Message: "wanted Z2, got Z3\nat case.go:7"},
		},
		{
			name:  "it warned and then skipped the rest",
			given: marked(types.SpecReport{State: types.SpecStateSkipped}, Mark{Verdict: Warning, Message: "slow"}, Mark{Verdict: Skipped, DecidedBy: ByProfile}),
			want:  Judgement{Verdict: Warning, Message: "slow"},
		},
		{
			name:  "it skipped itself",
			given: marked(ended(types.SpecStateSkipped, "two zones only"), Mark{Verdict: Skipped, DecidedBy: ByEnvironment, Message: "two zones only"}),
			want:  Judgement{Verdict: Skipped, DecidedBy: ByEnvironment, Reason: "two zones only"},
		},
		{
			name: "it called ginkgo.Skip",
			given: types.SpecReport{State: types.SpecStateSkipped,
				Failure: types.Failure{Message: "ListVolumes not supported", Location: within, FailureNodeType: types.NodeTypeBeforeEach}},
			want: Judgement{Verdict: Skipped, DecidedBy: ByCapability, Reason: "ListVolumes not supported"},
		},
		{
			name:  "Ginkgo skipped it because an earlier case of an ordered container failed",
			given: ended(types.SpecStateSkipped, "Spec skipped because an earlier spec in an ordered container failed"),
			want:  Judgement{Verdict: Error, Reason: "not run", Message: "Spec skipped because an earlier spec in an ordered container failed"},
		},
		{
			name:  "Ginkgo never came to it",
			given: types.SpecReport{State: types.SpecStateSkipped},
			want:  Judgement{Verdict: Error, Reason: "not run", Message: "the run ended before this case began"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Judge(test.given)); diff != "" {
				t.Errorf("judgement (-want +got):\n%s", diff)
			}
		})
	}
}

func marked(spec types.SpecReport, marks ...Mark) types.SpecReport {
	for _, m := range marks {
		spec.ReportEntries = append(spec.ReportEntries, types.ReportEntry{Value: types.WrapEntryValue(m)})
	}
	return spec
}

func withAdditional(spec, then types.SpecReport) types.SpecReport {
	spec.AdditionalFailures = []types.AdditionalFailure{{State: then.State, Failure: then.Failure}}
	return spec
}
