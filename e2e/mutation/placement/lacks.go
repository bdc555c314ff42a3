// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// The cases of the specification's examples: all of them, the cases with volumes in two topologies, and the cases
// that fill segments.
const (
	every = "T-EQ-1 T-EQ-1F T-NR T-BAD-2 T-BAD-3 T-EQ-2 T-EQ-2F T-LT-1 T-LT-1F T-GT-1 T-PF-1a T-PF-1b T-BAD-1 T-ID-1 T-ID-2 T-ID-3 " +
		"T-LT-2 T-LT-2F T-GT-1F T-PF-2a T-PF-2b T-PF-2c T-PF-3b T-PF-3c T-PO-1 T-PO-2 T-PF-2d T-PF-3a T-PF-3d T-PF-3e"
	ofTwo   = "T-EQ-2 T-EQ-2F T-LT-2 T-LT-2F T-GT-1 T-GT-1F T-PF-3a T-PF-3b T-PF-3c T-PF-3d T-PF-3e"
	fillers = "T-EQ-1F T-EQ-2F T-LT-1F T-LT-2F T-GT-1F T-PF-1b T-PF-2b T-PF-2c T-PF-2d T-PF-3b T-PF-3c T-PF-3d T-PF-3e T-PO-2 T-ID-3"
)

// lacks returns right drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no volumes of two topologies": mutation.Told(func(t *harness.Target) { t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1]) },
			mutation.Skips(ofTwo, suite.ByProfile)),
		"no capability GET_CAPACITY": mutation.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY,
			mutation.Skips(fillers, suite.ByCapability)),
		"no capability CREATE_DELETE_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			mutation.Skips(every, suite.ByCapability)),
		"less room than a case needs": mutation.Told(func(t *harness.Target) { t.Profile.VolumeBytes = mutation.LargestVolume },
			mutation.Skips(every, suite.ByEnvironment)),
		"two nodes in a zone": mutation.Told(func(t *harness.Target) { t.Nodes = append(t.Nodes, t.Nodes[0]) },
			mutation.Passes(every)),
	}
}
