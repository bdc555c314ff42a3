package sanity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// ids are ids of the driver's own form that nothing has: many drivers put more into them than a name, and refuse any
// other as invalid.
type ids struct {
	sanity.DefaultIDGenerator
	amender
	node   string
	volume string
}

// GenerateUniqueValidNodeID is an id like the node's.
func (g *ids) GenerateUniqueValidNodeID() string {
	if g.node == "" {
		return g.DefaultIDGenerator.GenerateUniqueValidNodeID()
	}
	return harness.Unlike(g.node)
}

// GenerateUniqueValidVolumeID is the id of a volume that was deleted. Where none can be made, csi-sanity's own id must do.
func (g *ids) GenerateUniqueValidVolumeID() string {
	if g.volume == "" {
		g.volume = g.deleted()
	}
	if g.volume == "" {
		return g.DefaultIDGenerator.GenerateUniqueValidVolumeID()
	}
	return g.volume
}

// deleted makes a volume and deletes it.
func (g *ids) deleted() string {
	ctx, cancel := context.WithTimeout(context.Background(), 2*g.target.Timeouts.Provision)
	defer cancel()
	controller := csi.NewControllerClient(g.target.Controller)
	parameters, _ := g.target.Profile.Parameters(1)
	made, err := controller.CreateVolume(ctx, g.amended(&csi.CreateVolumeRequest{
		Name:          "no-more",
		Parameters:    parameters,
		CapacityRange: &csi.CapacityRange{RequiredBytes: g.target.Profile.VolumeBytes},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: g.target.Profile.FsType}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
	}).(*csi.CreateVolumeRequest))
	if err != nil {
		return ""
	}
	id := made.GetVolume().GetVolumeId()
	if _, err := controller.DeleteVolume(ctx, g.amended(&csi.DeleteVolumeRequest{VolumeId: id}).(*csi.DeleteVolumeRequest)); err != nil {
		return "" // what is left fails the case as a leak
	}
	return id
}
