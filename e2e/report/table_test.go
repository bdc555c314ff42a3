package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

func TestTableCountsByArea(t *testing.T) {
	cases := []Case{
		{Area: "placement", Verdict: verdict.Pass, Seconds: 0.25},
		{Area: "placement", Verdict: verdict.Fail, Seconds: 1},
		{Area: "capacity", Verdict: verdict.Skipped},
	}
	var got strings.Builder
	Table(&got, &ConformanceReport{Cases: cases, Summary: Summary{Pass: 1, Fail: 1, Skip: 1, Seconds: 2}})
	want := `
AREA       PASS  FAIL  WARN  ERROR  SKIP  SECONDS
placement  1     1     0     0      0     1.2
capacity   0     0     0     0      1     0.0
all        1     1     0     0      1     2.0
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestFailuresShowWhatIsNotGreen(t *testing.T) {
	cases := []Case{
		{ID: "T-1", Text: "passes", Verdict: verdict.Pass},
		{ID: "T-2", Text: "chooses from requisite", Requirements: []string{"TR-07", "TR-09"}, Verdict: verdict.Fail, Message: "asked for Z2\ngot Z3"},
		{ID: "T-3", Text: "chooses twice", Verdict: verdict.Error, Reason: "could not tell", Message: "the connection broke"},
		{ID: "T-4", Text: "comes later", Verdict: verdict.Error, Reason: verdict.NotRun, Message: "the run ended before this case began"},
		{ID: "T-6", Text: "chooses in vain", Verdict: verdict.Error, Reason: "could not tell", Message: "the connection broke"},
		{ID: "T-7", Text: "chooses again in vain", Verdict: verdict.Error, Reason: "could not tell", Message: "the connection broke"},
		{ID: "T-5", Text: "comes last", Verdict: verdict.Error, Reason: verdict.NotRun, Message: "the run ended before this case began"},
	}
	var got strings.Builder
	Failures(&got, &ConformanceReport{Cases: cases})
	want := `
FAIL T-2 chooses from requisite
    verifies TR-07, TR-09
    asked for Z2
    got Z3

ERROR T-3 chooses twice
    could not tell
    the connection broke
    likewise 2 more: T-6, T-7

ERROR not run: T-4, T-5
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}
