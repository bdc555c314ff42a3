// SPDX-License-Identifier: Apache-2.0

// Package block has the cluster tier's cases about raw block volumes, which pods use as
// devices.
package block

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "block", Cases: []harness.Case{
		blockEachZone(),
		blockMovesWithinZone(),
		blockDetachedAfterPod(),
		blockGrows(),
		blockStatefulSet(),
	}}
}

// claimDevice creates a claim for a raw block volume that waits for its pod.
func claimDevice(ctx context.Context, s *harness.Scenario) *corev1.PersistentVolumeClaim {
	class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
	return claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Block())
}
