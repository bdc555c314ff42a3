// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume that waits for its first consumer is made where the scheduler wants the pod:
// shown for each zone in turn, so that no driver passes by always choosing the same one.
func wffcEachZone() []harness.Case {
	var cases []harness.Case
	for i, ordinal := range []string{"first", "second", "third", "fourth"} {
		cases = append(cases, harness.Case{
			ID:           fmt.Sprintf("wffc_each_zone_%d", i+1),
			Text:         "makes the volume of a pod in the " + ordinal + " zone in that zone",
			Requirements: []string{"TR-01", "TR-09", "VOL-16", "PC-03", "K8S-A3", "K8S-C18"},
			Needs:        harness.Needs{Zones: i + 1},
			Run: func(ctx context.Context, s *harness.Scenario) {
				zone := s.Zones(i + 1)[i]
				claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
				pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))

				s.MustBindIn(ctx, claim, zone)
				s.MustRunIn(ctx, pod, zone)
			},
		})
	}
	return cases
}
