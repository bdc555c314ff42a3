// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// publishedRace sends two pods to a zone with room for one volume before either volume is created: the scheduler counts the
// published room twice. The second pod is scheduled again, where there is room.
func publishedRace() harness.Case {
	return harness.Case{
		ID:           "published_race",
		Text:         "reschedules one of two pods that were sent to a zone with room for one volume",
		Requirements: []string{"K8S-E16"},
		Needs:        needs.All(needs.Zones(2), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			narrow, wide := zones[0], zones[1]
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zones...)
			how := publishing(narrow.Name, gi(1).Value())
			how.Room[wide.Name] = gi(10).Value()
			provisioner := driver.StartProvisioner(ctx, how)
			class := driver.CreateClass(ctx)
			provisioner.MustPublish(ctx, class, narrow.Name, gi(1).Value())
			provisioner.MustPublish(ctx, class, wide.Name, gi(10).Value())

			var two []*corev1.PersistentVolumeClaim
			var placed []*corev1.Pod
			var held []string
			for i := range 2 {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				first := provisioner.Volume(claim, driver.Segment(narrow.Name))
				if i > 0 {
					first = provisioner.Refuse(claim, "RESOURCE_EXHAUSTED")
				}
				first.Times, first.Delay = 1, trace.Duration(time.Minute)
				held = append(held, provisioner.Rule(ctx, first))
				if i > 0 {
					provisioner.ProvideIn(ctx, claim, driver.Segment(wide.Name))
					provisioner.Rule(ctx, provisioner.Refuse(claim, "RESOURCE_EXHAUSTED")) // anywhere else
				}
				two = append(two, claim)
			}
			selected := claims.WatchSelectedNode(ctx, s, two[1])
			for _, claim := range two {
				placed = append(placed, pods.Create(ctx, s, workload.PodWith(claim).Preferring(driver.Segment(narrow.Name)).
					InAny(driver.Segment(narrow.Name), driver.Segment(wide.Name))))
			}
			for _, rule := range held {
				s.Until(ctx, s.Target.Timeouts.Bind, "both volumes asked for", func(ctx context.Context) error {
					used, err := provisioner.Used(ctx, rule)
					if err == nil && used == 0 {
						err = fmt.Errorf("CreateVolume was not called for one of them")
					}
					return err
				})
			}
			provisioner.Say(ctx, narrow.Name, 0)
			for _, rule := range held {
				provisioner.End(ctx, rule)
			}

			claims.MustSelectAs(ctx, s, two[1], selected, func(nodes []string) error { return predicate.Rescheduled(nodes, narrow.NodeNames()) })
			pods.MustBeScheduled(ctx, s, placed...)
			s.Check(predicate.PodOn(placed[0], narrow.NodeNames()))
			s.Check(predicate.PodOn(placed[1], wide.NodeNames()))
			provisioner.MustPublish(ctx, class, narrow.Name, 0)
		},
	}
}
