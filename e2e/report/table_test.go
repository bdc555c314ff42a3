// SPDX-License-Identifier: Apache-2.0

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
		{Area: "placement", Verdict: verdict.Skipped, DecidedBy: verdict.ByFilter},
		{Area: "capacity", Verdict: verdict.Skipped},
		{Area: "growth", Verdict: verdict.Skipped, DecidedBy: verdict.ByFilter},
	}
	var got strings.Builder
	Table(&got, &ConformanceReport{Cases: cases, Summary: Summary{Pass: 1, Fail: 1, Skip: 3, Seconds: 2}})
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
