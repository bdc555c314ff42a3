// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A raw block volume is made where its pod is to run, as one with a file system is, and the pod has it as a device that
// it can write to from the first byte to the last.
func blockEachZone() harness.Case {
	return harness.Case{
		ID:           "block_each_zone",
		Text:         "makes a raw block volume in the zone of its pod, which has it as a device of its size",
		Requirements: []string{"NS-19", "TR-01", "VOL-16", "K8S-M1"},
		Needs:        harness.Needs(harness.Zones(1), harness.Block()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			for _, zone := range s.Zones(min(2, len(s.AllZones()))) {
				claim := claimDevice(ctx, s)
				pod := s.CreatePod(ctx, workload.PodWithDevice(claim).In(zone.Segment))
				s.MustRunIn(ctx, pod, zone)

				volume := s.MustBindIn(ctx, claim, zone)
				s.MustBeBlock(ctx, "K8S-M1", volume)
				bytes := s.MustBeDevice(ctx, pod, s.Target.VolumeSize)
				s.MustWriteDevice(ctx, pod, bytes, s.Namespace+claim.Name)
				s.MustReadDevice(ctx, pod, bytes, s.Namespace+claim.Name)
			}
		},
	}
}
