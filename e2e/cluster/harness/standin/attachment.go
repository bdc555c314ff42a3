// SPDX-License-Identifier: Apache-2.0

package standin

import (
	"context"

	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// CreateAttachment creates a VolumeAttachment for a PersistentVolume of the driver, by its name. Nothing attaches or
// detaches the volume: the object remains until it is deleted, or the case ends.
func (d *StandIn) CreateAttachment(ctx context.Context, volume string, node topology.Node) *storagev1.VolumeAttachment {
	s := d.s
	attachment := &storagev1.VolumeAttachment{}
	attachment.Name = s.Name("attachment")
	attachment.Spec.Attacher, attachment.Spec.NodeName, attachment.Spec.Source.PersistentVolumeName = d.Driver.Name, node.Name, &volume
	s.OnCleanUp(func(ctx context.Context) error { return s.Delete(ctx, attachment) })
	err := s.Resources().Create(ctx, attachment)
	if apierrors.IsForbidden(err) {
		suite.Skip(suite.ByEnvironment, "the user of the kubeconfig may not create a VolumeAttachment: %v", err)
	}
	s.Need(err, "creating a VolumeAttachment")
	return attachment
}
