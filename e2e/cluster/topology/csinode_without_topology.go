// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// csinodeWithoutTopology uses a driver that reports no topology on one node, and one on others. A volume that is accessible
// from everywhere can also be used on the first node. A volume in the others' zone cannot: its pod goes to that zone,
// though it prefers the first node.
func csinodeWithoutTopology() harness.Case {
	return harness.Case{
		ID:           "csinode_without_topology",
		Text:         "registers a node without topology beside others with one, and runs pods there whose volumes have no topological constraints",
		Requirements: []string{"NI-16", "NI-17"},
		Needs:        needs.All(needs.Zones(2), needs.OwnNodePlugin()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			at, other := zones[0].Nodes[0], zones[1]
			driver := standin.CreateAttaching(ctx, s, "placeless", false)
			driver.RegisterIn(ctx, other)
			standin.StartNodePlugin(ctx, s, at, []*standin.StandIn{driver})
			registered, node := &storagev1.CSINode{}, &corev1.Node{}
			registered.Name, node.Name = at.Name, at.Name
			s.Need(s.Reread(ctx, registered), "reading CSINode %s", at.Name)
			s.Need(s.Reread(ctx, node), "reading node %s", at.Name)
			s.PlatformCheck(ctx, "NI-16", predicate.SameTopology(driver.Driver.Name, registered, node, at.Name, nil))
			class := driver.CreateClass(ctx)

			anywhere := claims.Create(ctx, s, class)
			claims.CreateVolume(ctx, s, workload.VolumeFor(anywhere, class).Size(s.Target.VolumeSize))
			claims.MustBind(ctx, s, anywhere)
			pod := pods.Create(ctx, s, workload.PodWith(anywhere).OnNode(at.Hostname))
			if s.PlatformMust(ctx, s.Target.Timeouts.Schedule, "NI-17", "pod "+pod.Name+" scheduled", s.Look(pod, func() error {
				return predicate.PodNotRefused(pod, predicate.OtherTopology, predicate.NoVolumeToBind)
			})) {
				pods.MustRun(ctx, s, pod)
			}

			zonal := claims.Create(ctx, s, class)
			claims.CreateVolume(ctx, s, workload.VolumeFor(zonal, class).Size(s.Target.VolumeSize).In(driver.Segment(other.Name)))
			claims.MustBind(ctx, s, zonal)
			elsewhere := pods.Create(ctx, s, workload.PodWith(zonal).InAny(zones[0].Segment, other.Segment).Preferring(zones[0].Segment))
			pods.MustBeScheduled(ctx, s, elsewhere)
			s.PlatformCheck(ctx, "NI-17", predicate.PodOn(elsewhere, other.NodeNames()))
		},
	}
}
