// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// reduced returns right drivers that lack something, in addition to those among the right
// drivers.
var reduced = map[string]struct {
	mutation.Driver
	lacking
}{
	"no capacity, and a hook that exhausts segments": {
		mutation.Driver{
			Fault:   mutation.Lacking(csi.ControllerServiceCapability_RPC_GET_CAPACITY),
			Running: exhaustByHook,
		},
		lacking{needs: map[suite.DecidedBy]string{suite.ByCapability: "GET_CAPACITY"}},
	},
	"no attaching": {
		mutation.Driver{Fault: mutation.Lacking(mutation.Attaching...)},
		lacking{needs: map[suite.DecidedBy]string{suite.ByCapability: "PUBLISH_UNPUBLISH_VOLUME LIST_VOLUMES_PUBLISHED_NODES GROUP_CONTROLLER_SERVICE"}},
	},
	"cases that run side by side": {
		mutation.Driver{Target: func(t *harness.Target) {
			t.Parallel, t.Profile.Capacity, t.Profile.Exclusive = 4, profile.AtLeast, false
		}},
		lacking{
			needs: map[suite.DecidedBy]string{suite.ByProfile: "exact-capacity"},
			skips: map[suite.DecidedBy]string{suite.ByProfile: "run_leaves_others_alone"},
		},
	},
}

// TestReducedDrivers checks that the reference driver passes, and that only the cases that need a feature that a driver
// lacks are skipped.
func TestReducedDrivers(t *testing.T) {
	t.Parallel()
	full := spectest.Run(t, spec.Areas(), mutation.Driver{})
	t.Run("nothing", func(t *testing.T) { wantClaimsExercised(t, full) })
	for name, want := range reduced {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := spectest.Run(t, spec.Areas(), want.Driver)
			want.judge(t, result, full)
			if got := report.ExitCode(result); got != report.ExitPassed {
				t.Errorf("exit status %d, want 0", got)
			}
			t.Logf("%d passed, %d skipped", result.Summary.Pass, result.Summary.Skip)
		})
	}
}
