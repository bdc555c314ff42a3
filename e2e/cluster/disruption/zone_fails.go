// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/machines"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// zoneFails stops all nodes of a zone, and marks them as out of service. A volume that is also accessible from another zone
// is used there, with its data; a volume of only this zone waits, and is used again when the zone is back. If the other
// zone lacks the most recent data, because its copy may lag, that is a warning.
func zoneFails() harness.Case {
	return harness.Case{
		ID:           "zone_fails",
		Text:         "moves a pod with a volume of two zones when one of them dies, and keeps one with a volume of that zone waiting",
		Requirements: []string{"VOL-15", "CU-03", "CU-10", "K8S-I8"},
		Needs:        needs.All(needs.Zones(2), needs.AccessibleFrom(2), needs.StopsMachines()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement = "K8S-I8"
			failed := machines.ZoneToStop(ctx, s)
			other := topology.AllBut(s.AllZones(), failed)[0]
			zonal := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(failed.Segment)))
			wide := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().
				AllowedIn(failed.Segment, other.Segment).Parameters(s.AccessibleFrom(2))))
			volumes := []*corev1.PersistentVolume{claims.MustBindIn(ctx, s, zonal, failed), claims.MustBindIn(ctx, s, wide, failed, other)}
			both := []*corev1.PersistentVolumeClaim{zonal, wide}
			var before []*corev1.Pod
			for _, claim := range both {
				pod := pods.Create(ctx, s, workload.PodWith(claim).In(failed.Segment))
				pods.MustRunIn(ctx, s, pod, failed)
				data.Write(ctx, s, pod, claim.Name)
				before = append(before, pod)
			}

			var stopped []*machines.StoppedNode
			for _, node := range failed.Nodes {
				machine := machines.StopNode(ctx, s, node)
				machine.PutOutOfService(ctx)
				stopped = append(stopped, machine)
			}
			var after []*corev1.Pod
			for i, claim := range both {
				pods.RemoveByForce(ctx, s, before[i])
				if _, done := attachments.LetsGo(ctx, s, requirement, volumes[i], s.Target.Timeouts.Detach); !done {
					return
				}
				if s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
					attachments.MustBePublishedTo(ctx, s, volumes[i])
				}
				after = append(after, pods.Create(ctx, s, workload.PodWith(claim)))
			}

			pods.MustBeUnschedulable(ctx, s, after[0], predicate.OtherTopology, predicate.Tainted)
			if pods.RunsAgain(ctx, s, requirement, after[1], other) {
				data.ShouldRead(ctx, s, requirement, after[1], wide.Name)
			}

			for _, machine := range stopped {
				machine.Start(ctx)
			}
			if pods.RunsAgain(ctx, s, requirement, after[0], failed) {
				data.MustRead(ctx, s, after[0], zonal.Name)
			}
		},
	}
}
