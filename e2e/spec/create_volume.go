package spec

import (
	"context"
	"crypto/rand"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Answer is what CreateVolume answered, and what it left behind where it failed.
type Answer struct {
	model.Answer
	// Name is the name that was asked for.
	Name string
	// VolumeID and Context are those of an OK answer.
	VolumeID string
	Context  map[string]string
	// Details counts the status details of a failed answer, and Left is what differs in the driver since before it.
	Details int
	Left    []string
}

// CreateVolume asks for a volume under a new name. The volume is deleted after the case.
func (d *driver) CreateVolume(ctx context.Context, asked model.Request) Answer {
	return d.create(ctx, "csi-topo-"+strings.ToLower(rand.Text()), asked)
}

// CreateVolumeAgain asks under the name of an earlier answer.
func (d *driver) CreateVolumeAgain(ctx context.Context, earlier Answer, asked model.Request) Answer {
	return d.create(ctx, earlier.Name, asked)
}

func (d *driver) create(ctx context.Context, name string, asked model.Request) Answer {
	parameters, ok := d.target.Profile.Parameters(asked.X)
	if !ok {
		verdict.Skip(verdict.ByProfile, "the profile has no volumes that are accessible from %d topologies", asked.X)
	}
	before := d.mustState(ctx)
	bounded, cancel := context.WithTimeout(ctx, d.target.Timeouts.Provision)
	defer cancel()
	response, err := d.controller.CreateVolume(bounded, createVolumeRequest(name, parameters, asked))
	if bounded.Err() != nil {
		verdict.CouldNotTell("CreateVolume did not answer within %s; it was asked for %s", d.target.Timeouts.Provision, asked)
	}
	answer := Answer{Name: name}
	if err != nil {
		failed := status.Convert(err)
		answer.Code, answer.Message, answer.Details = failed.Code(), failed.Message(), len(failed.Details())
		answer.Left = d.changedSince(ctx, before)
		return answer
	}
	volume := response.GetVolume()
	answer.Code, answer.VolumeID, answer.Context = codes.OK, volume.GetVolumeId(), volume.GetVolumeContext()
	for _, topology := range volume.GetAccessibleTopology() {
		answer.Segments = append(answer.Segments, topology.GetSegments())
	}
	d.enter(answer.VolumeID)
	return answer
}

func createVolumeRequest(name string, parameters map[string]string, asked model.Request) *csi.CreateVolumeRequest {
	request := &csi.CreateVolumeRequest{
		Name:          name,
		Parameters:    parameters,
		CapacityRange: &csi.CapacityRange{RequiredBytes: asked.Bytes},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
	}
	if asked.Empty || !asked.Free() {
		request.AccessibilityRequirements = &csi.TopologyRequirement{
			Requisite: topologies(asked.Requisite),
			Preferred: topologies(asked.Preferred),
		}
	}
	return request
}

func topologies(segments model.Set) []*csi.Topology {
	var list []*csi.Topology
	for _, segment := range segments {
		list = append(list, &csi.Topology{Segments: segment})
	}
	return list
}
