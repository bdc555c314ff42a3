// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// publishedSegments checks that a class has one object for each topology with a node: objects appear with a topology's
// first node and disappear with its last, follow changes of nodes' labels, and are deleted with the class.
func publishedSegments() harness.Case {
	return harness.Case{
		ID:           "published_segments",
		Text:         "publishes capacity for a topology as long as a node is in it, and for a class as long as it exists",
		Requirements: []string{"K8S-B16", "K8S-D13"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zone)
			how := publishing(zone.Name, gi(10).Value())
			how.Room["joined"], how.Room["moved"] = gi(20).Value(), gi(30).Value()
			provisioner := driver.StartProvisioner(ctx, how)
			class, other := driver.CreateClass(ctx), driver.CreateClass(ctx)
			stays, joined, moved := driver.Segment(zone.Name), driver.Segment("joined"), driver.Segment("moved")
			publishes := func(class *storagev1.StorageClass, segments ...predicate.Segment) {
				s.Until(ctx, s.Target.Timeouts.Capacity, "objects of class "+class.Name, func(ctx context.Context) error {
					objects, err := room.CapacityObjects(ctx, s, class)
					if err != nil {
						return err
					}
					return predicate.OneObjectPerSegment(objects, segments...)
				})
			}
			publishes(class, stays)

			node, _ := driver.CreateNode(ctx, joined)
			publishes(class, joined, stays)
			publishes(other, joined, stays)
			provisioner.MustPublish(ctx, class, "joined", how.Room["joined"])

			driver.Relabel(ctx, moved, node.Name)
			publishes(class, moved, stays)
			provisioner.MustPublish(ctx, class, "moved", how.Room["moved"])

			driver.DeleteNode(ctx, node)
			publishes(class, stays)

			s.Need(s.Resources().Delete(ctx, class), "deleting the class")
			publishes(class)
			publishes(other, stays)
		},
	}
}
