package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Answer is what CreateVolume answered, and what it left behind where it failed.
type Answer struct {
	model.Answer
	// Name is the name that was asked for.
	Name string
	// VolumeID and Context are those of an OK answer, which Volume is.
	VolumeID string
	Context  map[string]string
	Volume   *csi.Volume
	// Details counts the status details of a failed answer, and Left is what differs in the driver since before it.
	Details int
	Left    []string
}

// Volume is a request for a volume of the case's size that is accessible from x topologies.
func (d *Driver) Volume(x int) model.Request {
	return model.Request{X: x, Bytes: d.Size()}
}

// CreateVolume asks for a volume under a new name. The volume is deleted after the case.
func (d *Driver) CreateVolume(ctx context.Context, asked model.Request) Answer {
	return d.create(ctx, d.CreateVolumeRequest(asked))
}

// CreateVolumeAgain asks under the name of an earlier answer.
func (d *Driver) CreateVolumeAgain(ctx context.Context, earlier Answer, asked model.Request) Answer {
	request := d.CreateVolumeRequest(asked)
	request.Name = earlier.Name
	return d.create(ctx, request)
}

func (d *Driver) create(ctx context.Context, request *csi.CreateVolumeRequest) Answer {
	before := d.currentState(ctx)
	response, err := d.Controller.CreateVolume(ctx, request)
	answer := answerOf(request, response, err)
	if err != nil {
		answer.Left = d.changedSince(ctx, before)
	}
	return answer
}

// CreateVolumeRequest is the call that asks for the volume, under a new name, with all that the profile says such a
// call has. A case changes what it is about.
func (d *Driver) CreateVolumeRequest(asked model.Request) *csi.CreateVolumeRequest {
	parameters, ok := d.Profile().Parameters(asked.X)
	if !ok {
		verdict.Skip(verdict.ByProfile, "the profile has no volumes that are accessible from %d topologies", asked.X)
	}
	request := &csi.CreateVolumeRequest{
		Name:               d.Name(),
		Parameters:         parameters,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: asked.Bytes},
		VolumeCapabilities: []*csi.VolumeCapability{d.Mount()},
		Secrets:            d.Profile().Secrets.CreateVolume,
	}
	if asked.Empty || !asked.Free() {
		request.AccessibilityRequirements = &csi.TopologyRequirement{
			Requisite: Topologies(asked.Requisite),
			Preferred: Topologies(asked.Preferred),
		}
	}
	return request
}

// Mount is the capability of a file system that one node writes, and Block that of a raw block device.
func (d *Driver) Mount() *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: d.Profile().FsType}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
}

// Block is the capability of a raw block device that one node writes.
func (d *Driver) Block() *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
}

// Topologies are the segments as CSI messages have them, and Segments the way back.
func Topologies(segments model.Set) []*csi.Topology {
	var topologies []*csi.Topology
	for _, segment := range segments {
		topologies = append(topologies, &csi.Topology{Segments: segment})
	}
	return topologies
}

// Segments are the topologies of a CSI message as the oracle has them.
func Segments(topologies []*csi.Topology) model.Set {
	var segments model.Set
	for _, topology := range topologies {
		segments = append(segments, topology.GetSegments())
	}
	return segments
}
