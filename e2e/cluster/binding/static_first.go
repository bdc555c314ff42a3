// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// staticFirst creates volumes of the driver's class by hand, in two zones. Two claims are bound to volumes among them,
// though each zone has a volume that is too small, and the other zone has one that would fit better. For a third claim,
// larger than all of these volumes, the driver creates a volume.
func staticFirst() harness.Case {
	return harness.Case{
		ID:           "static_first",
		Text:         "binds a claim to the smallest existing volume that fits and that the pod's node reaches, and creates none",
		Requirements: []string{"K8S-P3"},
		Needs:        needs.All(needs.Zones(2), needs.Recorded(needs.Provisioner)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const parts = 8
			zones := s.Zones(2)
			part := func(n int64) resource.Quantity {
				return *resource.NewQuantity(s.Target.VolumeSize.Value()*n/parts, resource.BinarySI)
			}
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			driver := standin.CreateAttaching(ctx, s, "static", false)
			// The best fit is neither the first nor the last of a zone, by name or by time.
			var all, best []*corev1.PersistentVolume
			for i, of := range []struct {
				sizes []int64
				best  int64
			}{{[]int64{4, 1, 3, 5}, 3}, {[]int64{5, 2, 1, 4}, 2}} {
				for _, n := range of.sizes {
					volume := claims.CreateVolume(ctx, s, workload.VolumeOf(class, s.Name("volume")).Driver(driver.Driver.Name).Size(part(n)).In(zones[i].Segment))
					all = append(all, volume)
					if n == of.best {
						best = append(best, volume)
					}
				}
			}
			driver.AwaitScheduler(ctx, all...)

			for i, zone := range zones {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(part(2)))
				if !mustTake(ctx, s, claim, best[i], zone) {
					return
				}
			}

			larger := claims.Create(ctx, s, class)
			pods.Create(ctx, s, workload.PodWith(larger).In(zones[0].Segment))
			claims.MustBind(ctx, s, larger)
			recorder.MustBeAsked(ctx, s, larger, predicate.AskedOnce)
		},
	}
}

// mustTake creates a pod in the zone, and waits for its claim to be bound to the volume, without a request to the
// driver.
func mustTake(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, volume *corev1.PersistentVolume, zone topology.Zone) bool {
	const requirement = "K8S-P3"
	pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
	taken := s.PlatformMust(ctx, s.Target.Timeouts.Bind, requirement, "claim "+claim.Name+" bound", func(ctx context.Context) error {
		if err := s.Reread(ctx, pod); err != nil {
			return err
		}
		return s.Look(claim, func() error { return predicate.TookVolume(pod, claim, volume.Name) })(ctx)
	})
	calls, err := recorder.Created(ctx, s, claim)
	s.Need(err, "reading the recorded calls")
	s.PlatformCheck(ctx, requirement, predicate.NotAsked(calls))
	pods.RemoveNow(ctx, s, pod) // nothing mounts the volume
	return taken
}
