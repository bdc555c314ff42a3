// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// kind is a kind of source: another claim, or a snapshot.
type kind struct {
	// id is the suffix of the ids of its cases, and does is the verb in their texts.
	id, does string
	// clause is the requirement on the driver, and behaviour the requirement on Kubernetes.
	clause, behaviour string
	needs             []harness.Need
	// keeps says that the source does not change when its volume is written to later.
	keeps bool
	// take creates a source from the claim's volume, which no pod uses.
	take func(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) content
}

// content is a source that a volume can be created from.
type content struct {
	reference corev1.TypedLocalObjectReference
	// size is the size of the smallest claim for it.
	size resource.Quantity
}

func kinds() []kind { return []kind{clone(), restore()} }

func clone() kind {
	return kind{
		id: "clone", does: "clones a volume", clause: "CS-02", behaviour: "K8S-N1",
		needs: needs.Claims(csi.ControllerServiceCapability_RPC_CLONE_VOLUME),
		take: func(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) content {
			return content{
				reference: corev1.TypedLocalObjectReference{Kind: "PersistentVolumeClaim", Name: claim.Name},
				size:      claims.VolumeOf(ctx, s, claim).Spec.Capacity[corev1.ResourceStorage],
			}
		},
	}
}

func restore() kind {
	return kind{
		id: "restore", does: "restores a snapshot", clause: "CS-01", behaviour: "K8S-N2", keeps: true,
		needs: needs.Snapshots(),
		take: func(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim) content {
			snapshot := snapshots.Take(ctx, s, claim)
			return content{reference: snapshot.Reference(), size: sizeOf(ctx, s, claim, snapshot)}
		},
	}
}

// sizeOf returns the smallest size that a claim for the snapshot of the claim's volume can have.
func sizeOf(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, snapshot snapshots.Snapshot) resource.Quantity {
	size := claims.VolumeOf(ctx, s, claim).Spec.Capacity[corev1.ResourceStorage]
	if snapshot.Size.Cmp(size) > 0 {
		return snapshot.Size
	}
	return size
}

// inZones returns the needs of the kind, plus the given number of zones.
func (k kind) inZones(zones int) []harness.Need {
	return needs.All(needs.Zones(zones), k.needs)
}

// written creates a class, and a claim of it whose volume is in the zone and contains the name of the case's namespace.
// No pod uses the volume: not every driver copies one that is in use.
func written(ctx context.Context, s *harness.Scenario, zone topology.Zone) (*storagev1.StorageClass, *corev1.PersistentVolumeClaim) {
	class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
	claim := claims.Create(ctx, s, class)
	write(ctx, s, claim, zone, s.Namespace)
	return class, claim
}

// write runs a pod in the zone that writes the text to the claim's volume.
func write(ctx context.Context, s *harness.Scenario, claim *corev1.PersistentVolumeClaim, zone topology.Zone, text string) {
	pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
	pods.MustRunIn(ctx, s, pod, zone)
	data.Write(ctx, s, pod, text)
	putDown(ctx, s, pod, claim)
}

// copyOf creates a claim for a volume with the content, and a pod that mounts it in the zone.
func copyOf(ctx context.Context, s *harness.Scenario, class *storagev1.StorageClass, from content, zone topology.Zone) (*corev1.PersistentVolumeClaim, *corev1.Pod) {
	claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(from.size).From(from.reference))
	return claim, pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
}

// putDown removes the pod, and waits until the claim's volume is detached.
func putDown(ctx context.Context, s *harness.Scenario, pod *corev1.Pod, claim *corev1.PersistentVolumeClaim) {
	pods.Remove(ctx, s, pod)
	attachments.MustBeDetached(ctx, s, claims.VolumeOf(ctx, s, claim))
}
