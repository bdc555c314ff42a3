// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// publishedOrphans deletes a node that has its own provisioner: the provisioner's object remains. The scheduler finds no
// node for the object, and refuses a pod that has no room elsewhere; before the deletion, it placed a pod there.
func publishedOrphans() harness.Case {
	return harness.Case{
		ID:           "published_orphans",
		Text:         "gives a pod no room that a provisioner published for its own node, which was deleted",
		Requirements: []string{"K8S-D14"},
		Needs:        needs.OwnProvisioner(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			driver := standin.Create(ctx, s, true)
			segment := driver.Segment("own")
			node, taints := driver.CreateNode(ctx, segment)
			how := publishing("own", gi(10).Value(), "--node-deployment")
			how.Node, how.NodeSegment = node, segment
			provisioner := driver.StartProvisioner(ctx, how)
			class := driver.CreateClass(ctx)
			provisioner.MustPublish(ctx, class, "own", gi(10).Value())
			create := func() (*corev1.PersistentVolumeClaim, *corev1.Pod) {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
				built := workload.PodWith(claim)
				for _, taint := range taints {
					built.Tolerating(taint)
				}
				return claim, pods.Create(ctx, s, built)
			}
			before, _ := create()
			claims.MustSelect(ctx, s, before, topology.Zone{Nodes: []topology.Node{node}})

			driver.DeleteNode(ctx, node)

			claim, pod := create()
			s.Until(ctx, s.Target.Timeouts.Schedule, "pod refused by the scheduler", s.Look(claim, func() error {
				if err := predicate.ClaimSelectsNone(claim); err != nil {
					return err
				}
				return s.Look(pod, func() error { return predicate.PodUnschedulable(pod, predicate.NoStorage) })(ctx)
			}))
			objects, err := room.CapacityObjects(ctx, s, class)
			s.Need(err, "reading CSIStorageCapacity objects")
			s.Check(predicate.OneObjectPerSegment(objects, segment))
		},
	}
}
