// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// blockEachZone creates a raw block volume in the zone of its pod, like a volume with a file system. The pod has it as a
// device, and can write to the first and the last byte.
func blockEachZone() harness.Case {
	return harness.Case{
		ID:           "block_each_zone",
		Text:         "creates a raw block volume in the zone of its pod, which sees it as a device of its size",
		Requirements: []string{"NS-19", "TR-01", "VOL-16", "K8S-M1"},
		Needs:        needs.All(needs.Zones(1), needs.Block()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			for _, zone := range s.Zones(min(2, len(s.AllZones()))) {
				claim := claimDevice(ctx, s)
				pod := pods.Create(ctx, s, workload.PodWithDevice(claim).In(zone.Segment))
				pods.MustRunIn(ctx, s, pod, zone)

				volume := claims.MustBindIn(ctx, s, claim, zone)
				claims.MustBeBlock(ctx, s, "K8S-M1", volume)
				bytes := data.MustBeDevice(ctx, s, pod, s.Target.VolumeSize)
				data.MustWriteDevice(ctx, s, pod, bytes, s.Namespace+claim.Name)
				data.MustReadDevice(ctx, s, pod, bytes, s.Namespace+claim.Name)
			}
		},
	}
}
