// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/placement"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestOneFormHidesNothing checks that a driver that accepts requests in one form only is judged as any other: the
// cases about the other forms find what it refuses, only cases that need a volume in two topologies are left out, and
// none ends as an error.
func TestOneFormHidesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault mutation.Fault
		fails string
		// skips is the number of cases that need a form that the driver does not accept.
		skips int
	}{
		{"one topology in a list", placement.OneTopology(), "T-EQ-2 T-EQ-2F T-LT-1 T-LT-1F T-LT-2 T-LT-2F T-PF-1a T-PF-2a T-PF-2b T-PF-2d T-PF-3a T-PF-3e T-PO-1 T-ID-1 " +
			"preferred_rotated preferred_three_two_topologies requisite_order name_repeated_in_other_words name_repeated_with_other_preferred name_repeated_with_one_of_two " +
			"name_repeated_for_other_pair restore_partly_in_reach clone_partly_in_reach", 25},
		{"preferred is read alone", mutation.RefusingSome(codes.Internal, "Errors encountered: []", func(r *csi.CreateVolumeRequest) bool {
			required := r.GetAccessibilityRequirements()
			return len(required.GetPreferred()) == 0 && (required == nil || len(required.GetRequisite()) > 0)
		}), "requisite_without_preferred", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			skips := 0
			want := strings.Fields(c.fails)
			for _, found := range spectest.Run(t, spec.Areas(), mutation.Driver{Fault: c.fault, Preflight: true}).Cases {
				switch {
				case found.Verdict == suite.Errored, found.Verdict == suite.Failed && !slices.Contains(want, found.ID):
					t.Errorf("%s: %s: %s", found.ID, found.Verdict, found.Message)
				case found.Verdict != suite.Failed && slices.Contains(want, found.ID):
					t.Errorf("%s: %s, want a failure", found.ID, found.Verdict)
				case found.Verdict == suite.Skipped && strings.Contains(found.Reason, "accepts no more than one topology"):
					skips++
				}
			}
			if skips != c.skips {
				t.Errorf("%d cases were skipped for the form, want %d", skips, c.skips)
			}
		})
	}
}
