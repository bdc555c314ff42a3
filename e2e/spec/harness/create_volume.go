// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/suite"
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
	// unseen says that nothing could tell what a failed answer left behind.
	unseen bool
}

// Volume is a request for a volume of the case's size that is accessible from x topologies. Volume(1) is that for the
// plain kind of the profile, which may be accessible from everywhere, or from as many topologies as the answer says.
func (d *Driver) Volume(x int) model.Request {
	kind, _ := d.Profile().Kind(x)
	asked := model.Request{X: x, Sharing: kind.Sharing, Bytes: d.Size()}
	if x == 1 {
		asked.X, asked.Everywhere = max(0, int(kind.AccessibleFrom)), kind.AccessibleFrom == profile.Everywhere
	}
	return asked
}

// CreateVolume asks for a volume under a new name. The volume is deleted after the case.
func (d *Driver) CreateVolume(ctx context.Context, asked model.Request) Answer {
	answer := d.createUnless(ctx, d.CreateVolumeRequest(asked), func(err error) bool { return !d.neverRefuses(asked, err) })
	d.world, _ = d.world.Seeing(answer.Segments).Including(answer.Segments, slices.Concat(asked.Requisite, asked.Preferred))
	if !d.Profile().Capacity.Exact() && model.AnswersTo(asked, d.world).Judge(answer.Answer).Grade == model.Forbidden {
		d.noteLess(ctx)
		d.noteFreed(answer)
	}
	return answer
}

// CreateVolumeAgain asks under the name of an earlier answer.
func (d *Driver) CreateVolumeAgain(ctx context.Context, earlier Answer, asked model.Request) Answer {
	request := d.CreateVolumeRequest(asked)
	request.Name = earlier.Name
	return d.create(ctx, request)
}

func (d *Driver) create(ctx context.Context, request *csi.CreateVolumeRequest) Answer {
	return d.createUnless(ctx, request, func(error) bool { return true })
}

// neverRefuses reports whether the driver goes on asking for the repetition of a call for a volume that no segment has room
// for, as it knows itself: that there is none is to be said by a code for which the caller looks elsewhere (CREATE-08).
func (d *Driver) neverRefuses(asked model.Request, err error) bool {
	return d.Profile().Capacity.Exact() && asksAgain(err) && len(model.AnswersTo(asked, d.world).Volumes) == 0
}

// asksAgain reports whether the error is of a call that the driver always answered, and that it wants repeated.
func asksAgain(err error) bool {
	var none *noAnswer
	return errors.As(err, &none) && none.pending && status.Code(none) != codes.Unavailable
}

// createUnless makes the call, and ends the case where it has no answer and ends reports so of its error.
func (d *Driver) createUnless(ctx context.Context, request *csi.CreateVolumeRequest, ends func(error) bool) Answer {
	before := d.currentState(ctx)
	response, err := d.Controller.CreateVolume(Tolerant(ctx), request)
	if ends(err) {
		mustBeAnswered(err)
	}
	answer := AnswerOf(request, response, err)
	if err != nil {
		answer.Left = d.changedSince(ctx, before)
		answer.unseen = before.volumes == nil && before.rooms == nil
	}
	return answer
}

// CreateVolumeRequest is the call that asks for the volume, under a new name, with all that the profile says such a
// call has. A case changes what it is about.
func (d *Driver) CreateVolumeRequest(asked model.Request) *csi.CreateVolumeRequest {
	kind, ok := d.Profile().Kind(max(1, asked.X))
	if !ok {
		suite.Skip(suite.ByProfile, "the profile has no volumes that are accessible from %d topologies", asked.X)
	}
	request := &csi.CreateVolumeRequest{
		Name:               d.Name(),
		Parameters:         kind.Parameters,
		CapacityRange:      &csi.CapacityRange{RequiredBytes: asked.Bytes},
		VolumeCapabilities: []*csi.VolumeCapability{As(d.Capability(), kind.Mode())},
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

// Capability is what the volumes of the suite have, whose cases are about something else: a file system, or a raw block
// device where the profile says that the driver has no file systems, with the AccessMode.
func (d *Driver) Capability() *csi.VolumeCapability {
	return Capability(d.Profile())
}

// Capability is Driver.Capability of a driver with that profile.
func Capability(p profile.Profile) *csi.VolumeCapability {
	capability := &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: p.Plain().Mode()},
	}
	if p.HasMount() {
		capability.AccessType = &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: p.FsType}}
	} else {
		capability.AccessType = &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}
	}
	return capability
}

// Mount is the capability of a file system with the AccessMode, for cases that say so by Needs.Mount.
func (d *Driver) Mount() *csi.VolumeCapability {
	capability := d.Capability()
	capability.AccessType = &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: d.Profile().FsType}}
	return capability
}

// Block is the capability of a raw block device with the AccessMode, for cases that say so by Needs.Block.
func (d *Driver) Block() *csi.VolumeCapability {
	capability := d.Capability()
	capability.AccessType = &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}
	return capability
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
