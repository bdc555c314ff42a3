// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
)

// publishedAfterRestart restarts a provisioner while nodes come and go. Afterwards there is one object for each topology,
// and topologies that remained keep their objects.
func publishedAfterRestart() harness.Case {
	return harness.Case{
		ID:           "published_after_restart",
		Text:         "publishes one object for each topology when it restarts while nodes come and go",
		Requirements: []string{"K8S-D15"},
		Needs:        needs.All(needs.Zones(1), needs.OwnProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			driver.RegisterIn(ctx, zone)
			how := publishing(zone.Name, gi(10).Value())
			for i := range 4 {
				how.Room[fmt.Sprint("z", i)] = gi(10).Value()
			}
			provisioner := driver.StartProvisioner(ctx, how)
			class := driver.CreateClass(ctx)
			var objects []storagev1.CSIStorageCapacity
			publishes := func(segments ...predicate.Segment) {
				s.Until(ctx, s.Target.Timeouts.Capacity, "objects of the class", func(ctx context.Context) (err error) {
					if objects, err = room.CapacityObjects(ctx, s, class); err != nil {
						return err
					}
					return predicate.OneObjectPerSegment(objects, segments...)
				})
			}
			stays := driver.Segment(zone.Name)
			leaves, _ := driver.CreateNode(ctx, driver.Segment("z0"))
			publishes(stays, driver.Segment("z0"))
			before := map[string]string{}
			for _, object := range objects {
				before[predicate.Canonical(object.NodeTopology.MatchLabels)] = string(object.UID)
			}

			provisioner.Kill(ctx)
			driver.DeleteNode(ctx, leaves)
			flaps, _ := driver.CreateNode(ctx, driver.Segment("z1"))
			for range 5 {
				driver.Relabel(ctx, driver.Segment("z2"), flaps.Name)
				driver.Relabel(ctx, driver.Segment("z3"), flaps.Name)
			}

			publishes(stays, driver.Segment("z3"))
			for _, object := range objects {
				if was := before[predicate.Canonical(object.NodeTopology.MatchLabels)]; was != "" && was != string(object.UID) {
					s.Fail("CSIStorageCapacity %s of %s is another object than before the restart", object.Name, predicate.Canonical(object.NodeTopology.MatchLabels))
				}
			}
		},
	}
}
