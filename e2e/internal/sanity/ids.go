// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// ids generates nonexistent ids in the driver's own form: many drivers encode more than a name in ids, and refuse other
// forms as invalid.
type ids struct {
	sanity.DefaultIDGenerator
	*run
	node   string
	volume string
}

// GenerateUniqueValidNodeID returns an id in the form of the node's id.
func (g *ids) GenerateUniqueValidNodeID() string {
	if g.node == "" {
		return g.DefaultIDGenerator.GenerateUniqueValidNodeID()
	}
	return absent.Unlike(g.node)
}

// GenerateUniqueValidVolumeID returns the id of a deleted volume, or csi-sanity's own id if no volume can be created.
func (g *ids) GenerateUniqueValidVolumeID() string {
	if g.volume == "" {
		g.volume = g.deleted()
	}
	if g.volume == "" {
		return g.DefaultIDGenerator.GenerateUniqueValidVolumeID()
	}
	return g.volume
}

// deleted creates a volume, deletes it and returns its id.
func (g *ids) deleted() string {
	ctx := attempt.Tolerant(context.Background())
	controller := csi.NewControllerClient(g.controller)
	made, err := controller.CreateVolume(ctx, g.amended(&csi.CreateVolumeRequest{
		Name:               "no-more",
		Parameters:         g.target.Profile.Plain().Parameters,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: g.target.Profile.VolumeBytes},
		VolumeCapabilities: []*csi.VolumeCapability{messages.Capability(g.target.Profile)},
	}).(*csi.CreateVolumeRequest))
	if err != nil {
		return ""
	}
	g.enter(nil, made)
	id := made.GetVolume().GetVolumeId()
	deletion := g.amended(&csi.DeleteVolumeRequest{VolumeId: id}).(*csi.DeleteVolumeRequest)
	deleted, err := controller.DeleteVolume(ctx, deletion)
	if err != nil {
		return "" // the case ends as an error for the leftovers
	}
	g.enter(deletion, deleted)
	return id
}
