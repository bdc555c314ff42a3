// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// All nodes of a zone die, and are said to be out of service. A volume that is accessible from another zone too is used
// there, with its data; one of this zone alone waits, and is used again when the zone is back. The other zone may lack what
// was written last, where its copy follows later: that warns.
func zoneFails() harness.Case {
	return harness.Case{
		ID:           "zone_fails",
		Text:         "moves a pod with a volume of two zones when one of them dies, and keeps one with a volume of that zone waiting",
		Requirements: []string{"VOL-15", "CU-03", "CU-10", "K8S-I8"},
		Needs:        harness.Needs(harness.Zones(2), harness.AccessibleFrom(2), harness.StopsMachines()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement = "K8S-I8"
			failed := s.ZoneToStop(ctx)
			other := s.AllBut(failed)[0]
			zonal := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().AllowedIn(failed.Segment)))
			wide := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().
				AllowedIn(failed.Segment, other.Segment).Parameters(s.AccessibleFrom(2))))
			volumes := []*corev1.PersistentVolume{s.MustBindIn(ctx, zonal, failed), s.MustBindIn(ctx, wide, failed, other)}
			claims := []*corev1.PersistentVolumeClaim{zonal, wide}
			var before []*corev1.Pod
			for _, claim := range claims {
				pod := s.CreatePod(ctx, workload.PodWith(claim).In(failed.Segment))
				s.MustRunIn(ctx, pod, failed)
				s.Write(ctx, pod, claim.Name)
				before = append(before, pod)
			}

			var machines []*harness.StoppedNode
			for _, node := range failed.Nodes {
				machine := s.StopNode(ctx, node)
				machine.PutOutOfService(ctx)
				machines = append(machines, machine)
			}
			var after []*corev1.Pod
			for i, claim := range claims {
				s.RemoveByForce(ctx, before[i])
				if _, done := s.LetsGo(ctx, requirement, volumes[i], s.Target.Timeouts.Detach); !done {
					return
				}
				if s.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
					s.MustBePublishedTo(ctx, volumes[i])
				}
				after = append(after, s.CreatePod(ctx, workload.PodWith(claim)))
			}

			s.MustBeUnschedulable(ctx, after[0], predicate.OtherTopology, predicate.Tainted)
			if s.RunsAgain(ctx, requirement, after[1], other) {
				s.ShouldRead(ctx, requirement, after[1], wide.Name)
			}

			for _, machine := range machines {
				machine.Start(ctx)
			}
			if s.RunsAgain(ctx, requirement, after[0], failed) {
				s.MustRead(ctx, after[0], zonal.Name)
			}
		},
	}
}
