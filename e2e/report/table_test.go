// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTableCountsByArea(t *testing.T) {
	cases := []Case{
		{Area: "placement", Verdict: suite.Passed, Seconds: 0.25},
		{Area: "placement", Verdict: suite.Failed, Seconds: 1},
		{Area: "placement", Verdict: suite.Skipped, DecidedBy: suite.ByFilter},
		{Area: "capacity", Verdict: suite.Skipped},
		{Area: "growth", Verdict: suite.Skipped, DecidedBy: suite.ByFilter},
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
