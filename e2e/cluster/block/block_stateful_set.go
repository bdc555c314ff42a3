// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// blockStatefulSet gives each pod of a StatefulSet its own device: no pod has the data of another.
func blockStatefulSet() harness.Case {
	return harness.Case{
		ID:           "block_stateful_set",
		Text:         "gives each pod of a StatefulSet of raw block volumes its own device",
		Requirements: []string{"K8S-M4"},
		Needs:        needs.All(needs.Zones(1), needs.Block()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement, replicas = "K8S-M4", 2
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			set := pods.CreateStatefulSet(ctx, s, workload.StatefulSetOf(class, replicas).Block())
			for ordinal := range replicas {
				claim := &corev1.PersistentVolumeClaim{}
				claim.Namespace, claim.Name = s.Namespace, workload.ClaimNameOf(set, ordinal)
				if !s.PlatformMust(ctx, s.Target.Timeouts.Notice, requirement, "claim "+claim.Name+" for a raw block volume", s.Look(claim, func() error {
					return predicate.IsBlock("claim "+claim.Name, claim.Spec.VolumeMode)
				})) {
					return // no pod could use it
				}
			}

			running := pods.MustRunAll(ctx, s, replicas)
			bytes := map[string]int64{}
			for i := range running {
				pod := &running[i]
				bytes[pod.Name] = data.MustBeDevice(ctx, s, pod, s.Target.VolumeSize)
				data.MustWriteDevice(ctx, s, pod, bytes[pod.Name], s.Namespace+pod.Name)
			}
			for i := range running { // another pod shows the content of a device
				pods.Remove(ctx, s, &running[i])
			}
			running = pods.MustRunAll(ctx, s, replicas)
			for i := range running {
				pod := &running[i]
				data.MustReadDevice(ctx, s, pod, bytes[pod.Name], s.Namespace+pod.Name)
			}
		},
	}
}
