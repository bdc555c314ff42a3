// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestSkips(t *testing.T) {
	skipped := func(by suite.DecidedBy, reason string) Case {
		return Case{Verdict: suite.Skipped, DecidedBy: by, Reason: reason}
	}
	r := ConformanceReport{Suite: Suite{Run: "abcdefgh"}, Cases: []Case{
		skipped(suite.ByCapability, "no snapshots"),
		skipped(suite.ByProfile, "no secrets"),
		skipped(suite.ByCapability, "no path csi-topo-abcdefgh-one of node 1"),
		skipped(suite.ByCapability, "no path csi-topo-abcdefgh-two of node 2"),
		skipped(suite.ByFilter, "not among the requested cases"),
		{Verdict: suite.Passed, DecidedBy: suite.ByEnvironment, Reason: "showed less"},
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
