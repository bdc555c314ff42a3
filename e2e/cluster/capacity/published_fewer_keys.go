// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// publishedFewerKeys creates a volume that is accessible from a whole region. It takes room in some zone of the region, but
// the provisioner refreshes no zone, because it looks for a segment equal to the volume's topology. Once the zone of a
// later zonal volume is refreshed, the provisioner has skipped the earlier volume.
func publishedFewerKeys() harness.Case {
	return harness.Case{
		ID:           "published_fewer_keys",
		Text:         "refreshes a zone for a volume of that zone, and none for a volume of its region",
		Requirements: []string{"K8S-D10"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zone)
			segment := driver.Segment(zone.Name)
			provisioner := driver.StartProvisioner(ctx, publishing(zone.Name, gi(10).Value()))
			class := driver.CreateClass(ctx)
			provisioner.MustPublish(ctx, class, zone.Name, gi(10).Value())
			provision := func(accessible predicate.Segment) *corev1.Pod {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				provisioner.Provide(ctx, claim, accessible)
				pod := pods.Create(ctx, s, workload.PodWith(claim).In(segment))
				pods.MustBeScheduled(ctx, s, pod)
				return pod
			}
			asked := func(ctx context.Context) (int, error) {
				calls, err := provisioner.Recorded(ctx)
				return len(predicate.CapacityCalls(calls, segment)), err
			}
			before, err := asked(ctx)
			s.Need(err, "reading the provisioner's calls")
			provisioner.Say(ctx, zone.Name, gi(9).Value())

			provision(predicate.Segment{driver.RegionKey(): segment[driver.RegionKey()]})
			passedOver, err := asked(ctx)
			s.Need(err, "reading the provisioner's calls")

			provision(segment)
			provisioner.MustPublish(ctx, class, zone.Name, gi(9).Value())
			s.Until(ctx, s.Target.Timeouts.Capacity, "zone refreshed", func(ctx context.Context) error {
				if now, err := asked(ctx); err != nil || now == before {
					return fmt.Errorf("GetCapacity was called %d times, as before: %w", now, err)
				}
				return nil
			})
			if passedOver != before {
				s.Fail("GetCapacity of the zone was called for a volume of its region, which the provisioner is known to pass over")
			}
		},
	}
}
