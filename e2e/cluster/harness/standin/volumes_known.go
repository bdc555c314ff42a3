// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// noProvisioner is the provisioner of classes with volumes that are all created by hand.
const noProvisioner = "kubernetes.io/no-provisioner"

// AwaitScheduler waits until the PersistentVolumes are available, and the scheduler has seen them. It sees changes to
// volumes in order: once it has bound a volume that was created last, it has seen all earlier ones.
func (d *StandIn) AwaitScheduler(ctx context.Context, volumes ...*corev1.PersistentVolume) {
	s := d.s
	claims.AwaitAvailable(ctx, s, volumes...)
	class := claims.CreateClassOf(ctx, s, noProvisioner, workload.WaitForFirstConsumer().Parameters(map[string]string{}))
	last := claims.CreateVolume(ctx, s, workload.VolumeOf(class, s.Name("volume")).Driver(d.Driver.Name).Size(s.Target.VolumeSize))
	claims.AwaitAvailable(ctx, s, last)
	claim := claims.Create(ctx, s, class)
	pod := pods.Create(ctx, s, workload.PodWith(claim))
	s.Need(s.Within(ctx, s.Target.Timeouts.Bind, s.Look(claim, func() error { return predicate.ClaimBound(claim) })),
		"waiting for the scheduler to know of volumes")
	pods.RemoveNow(ctx, s, pod)
	claims.MustDeleteAlone(ctx, s, claim)
}
