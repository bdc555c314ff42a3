// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

func TestSkips(t *testing.T) {
	skipped := func(by verdict.DecidedBy, reason string) Case {
		return Case{Verdict: verdict.Skipped, DecidedBy: by, Reason: reason}
	}
	r := ConformanceReport{Suite: Suite{Run: "abcdefgh"}, Cases: []Case{
		skipped(verdict.ByCapability, "no snapshots"),
		skipped(verdict.ByProfile, "no secrets"),
		skipped(verdict.ByCapability, "no path csi-topo-abcdefgh-one of node 1"),
		skipped(verdict.ByCapability, "no path csi-topo-abcdefgh-two of node 2"),
		skipped(verdict.ByFilter, "not among the cases asked for"),
		{Verdict: verdict.Pass, DecidedBy: verdict.ByEnvironment, Reason: "showed less"},
	}}
	want := `
SKIP because of what the driver claims
     2  no path csi-topo-abcdefgh-one of node 1
     1  no snapshots

SKIP because of the profile
     1  no secrets
`
	var out strings.Builder
	Skips(&out, &r)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
