package generated

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// volume is what a sequence knows of one name, and of the last volume that had it.
type volume struct {
	name string
	// asked is the last CreateVolume of the name, nil before the first.
	asked *model.Request
	// id is the volume's; it stays when the volume is deleted, and is empty where there never was one.
	id     string
	exists bool
	// x is what the volume was asked with, and bytes is its size.
	x     int
	bytes int64
	// topology and context are as the driver answered, and segments are where the volume is.
	topology []*csi.Topology
	context  map[string]string
	segments model.Set
	// node is the one to which the volume is published, with its publish_context; nil when to none.
	node           *harness.Node
	publishContext map[string]string
}

// message is the volume as later calls need it.
func (v *volume) message() *csi.Volume {
	return &csi.Volume{VolumeId: v.id, VolumeContext: v.context, AccessibleTopology: v.topology}
}
