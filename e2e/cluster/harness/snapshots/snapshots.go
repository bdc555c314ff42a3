// SPDX-License-Identifier: Apache-2.0

// Package snapshots takes snapshots, and checks what is left of them.
package snapshots

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Snapshot is a VolumeSnapshot that is ready to use.
type Snapshot struct {
	// Name is the name of the VolumeSnapshot, and Content of its VolumeSnapshotContent.
	Name, Content string
	// Asked is the name in CreateSnapshot, Handle the snapshot_id, and Volume the volume_id of its source.
	Asked, Handle, Volume string
	// Size is the size of the smallest volume that can be created from it; zero if it is not known.
	Size resource.Quantity
}

// taken holds the class of a case's snapshots, and the snapshots that were ready to use.
type taken struct {
	class *unstructured.Unstructured
	ready []Snapshot
}

// Reference returns a claim's reference to the snapshot.
func (n Snapshot) Reference() corev1.TypedLocalObjectReference {
	group := workload.SnapshotVersion().Group
	return corev1.TypedLocalObjectReference{APIGroup: &group, Kind: workload.SnapshotKind, Name: n.Name}
}
