// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// creation is a CreateVolumeRequest that was understood.
type creation struct {
	name        string
	parameters  parameters
	mutable     map[string]string
	allocated   bool
	bytes       int64
	capacity    *csi.CapacityRange
	known       []topology.Segment
	requirement topology.Requirement
	from        volume.Origin
}

// createVolume makes a volume in the segments that topology.Choose picks, or returns the one that has the name already
// (CV-02, CV-03). It returns ALREADY_EXISTS if that one differs from the request (CREATE-06), NOT_FOUND if the source
// does not exist, OUT_OF_RANGE if no volume may have the size (CREATE-11), and RESOURCE_EXHAUSTED if the segments that it
// may be in lack the room or the source; then nothing is left behind (CREATE-08).
func (c *controller) createVolume(ctx context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	asked, err := c.understand(r)
	if err != nil {
		return nil, err
	}
	v, err := c.store.VolumeNamed(asked.name)
	switch {
	case errors.Is(err, record.ErrNotFound):
	case err != nil:
		return nil, failure(err)
	case v.State == record.Ready:
		if err := asked.checkExisting(v); err != nil {
			return nil, err
		}
		return &csi.CreateVolumeResponse{Volume: answer(v)}, nil
	default:
		// An earlier call was cut off, and could not clean up after itself.
		if err := c.discard(ctx, v); err != nil {
			return nil, failure(err)
		}
	}
	v, err = c.create(ctx, asked)
	if err != nil {
		return nil, failureToTake(err)
	}
	return &csi.CreateVolumeResponse{Volume: answer(v)}, nil
}

// create makes a new volume. The record is written before anything is on disk: whenever the process ends, everything on
// disk has a record, and recover removes unfinished volumes. An acknowledged volume is Ready.
func (c *controller) create(ctx context.Context, asked creation) (record.Volume, error) {
	reach, err := c.locate(&asked)
	if err != nil {
		return record.Volume{}, err
	}
	id, err := volume.NewID(asked.parameters.kind)
	if err != nil {
		return record.Volume{}, err
	}
	v := record.Volume{
		ID:           id,
		Name:         asked.name,
		State:        record.Creating,
		Bytes:        asked.bytes,
		Class:        asked.parameters.class,
		Allocated:    asked.allocated,
		FromVolume:   asked.from.VolumeID,
		FromSnapshot: asked.from.SnapshotID,
	}
	v.Segments, err = c.placement.reserve(v.ID, asked.known, placementRequest{
		bytes:       v.Bytes,
		class:       v.Class,
		zones:       asked.parameters.zones,
		requirement: asked.requirement,
		reach:       reach,
	})
	if err != nil {
		return v, fmt.Errorf("finding room for volume %q: %w", v.Name, err)
	}
	if err := c.makeReady(ctx, &v); err != nil {
		return v, c.abandon(ctx, v, err)
	}
	return v, nil
}

func (c *controller) makeReady(ctx context.Context, v *record.Volume) error {
	if err := c.store.Put(*v); err != nil {
		return err
	}
	from := volume.Origin{VolumeID: v.FromVolume, SnapshotID: v.FromSnapshot}
	if err := c.volumes.Create(ctx, v.ID, sizeOf(*v), from); err != nil {
		return fmt.Errorf("creating volume %q: %w", v.Name, err)
	}
	v.State = record.Ready
	return c.store.Put(*v)
}

// understand parses a request. It returns INVALID_ARGUMENT if no driver, or not this one, may satisfy it.
func (c *controller) understand(r *csi.CreateVolumeRequest) (creation, error) {
	asked := creation{name: r.GetName(), capacity: r.GetCapacityRange(), mutable: r.GetMutableParameters()}
	if err := checkName(asked.name); err != nil {
		return asked, err
	}
	var err error
	if asked.parameters, err = c.parseParameters(r.GetParameters()); err != nil {
		return asked, err
	}
	kind := asked.parameters.kind
	if asked.allocated, err = parseMutable(asked.mutable, kind, false); err != nil {
		return asked, err
	}
	if err := checkCapabilities(kind, r.GetVolumeCapabilities()); err != nil {
		return asked, err
	}
	if asked.bytes, err = c.sizesOf(kind).choose(asked.capacity); err != nil {
		return asked, err
	}
	if asked.from, err = originOf(r.GetVolumeContentSource()); err != nil {
		return asked, err
	}
	asked.known, asked.requirement, err = c.requirementFor(r.GetAccessibilityRequirements())
	return asked, err
}

// checkExisting returns ALREADY_EXISTS unless the volume satisfies the request.
func (asked creation) checkExisting(v record.Volume) error {
	required, limit := asked.capacity.GetRequiredBytes(), asked.capacity.GetLimitBytes()
	switch {
	case v.Bytes < required || (limit > 0 && v.Bytes > limit):
		return status.Errorf(codes.AlreadyExists, "volume %q exists with %d bytes, which is not between required_bytes %d and limit_bytes %d",
			v.Name, v.Bytes, required, limit)
	case kindOf(v.ID) != asked.parameters.kind || v.Class != asked.parameters.class:
		return status.Errorf(codes.AlreadyExists, "volume %q exists with kind %q and class %q, and the parameters ask for kind %q and class %q",
			v.Name, kindOf(v.ID), v.Class, asked.parameters.kind, asked.parameters.class)
	case v.FromVolume != asked.from.VolumeID || v.FromSnapshot != asked.from.SnapshotID:
		return status.Errorf(codes.AlreadyExists, "volume %q exists and began as %s, and volume_content_source asks for %s",
			v.Name, describe(volume.Origin{VolumeID: v.FromVolume, SnapshotID: v.FromSnapshot}), describe(asked.from))
	case len(v.Segments) != asked.parameters.zones:
		return status.Errorf(codes.AlreadyExists, "volume %q exists and is accessible from %d segment(s), and parameter %q asks for %d",
			v.Name, len(v.Segments), zonesParameter, asked.parameters.zones)
	case !asked.requirement.Met(v.Segments):
		return status.Errorf(codes.AlreadyExists, "volume %q exists and is accessible from %v, which does not satisfy accessibility_requirements",
			v.Name, v.Segments)
	}
	allocated, err := parseMutable(asked.mutable, kindOf(v.ID), v.Allocated)
	if err == nil && allocated != v.Allocated {
		return status.Errorf(codes.AlreadyExists, "volume %q exists with its bytes allocated: %t, and mutable parameter %q asks for %q",
			v.Name, v.Allocated, allocationParameter, asked.mutable[allocationParameter])
	}
	return err
}

// requirementOf reads accessibility_requirements; without them, every segment will do.
func requirementOf(known []topology.Segment, r *csi.TopologyRequirement) (topology.Requirement, error) {
	if r == nil {
		return topology.Requirement{}, nil
	}
	requirement, err := topology.NewRequirement(known, segmentsOf(r.GetRequisite()), segmentsOf(r.GetPreferred()))
	if err != nil {
		return requirement, status.Error(codes.InvalidArgument, err.Error())
	}
	return requirement, nil
}

func segmentsOf(topologies []*csi.Topology) []map[string]string {
	var segments []map[string]string
	for _, t := range topologies {
		segments = append(segments, t.GetSegments())
	}
	return segments
}

// checkName returns INVALID_ARGUMENT for a name that the spec does not allow.
func checkName(name string) error {
	switch {
	case name == "":
		return status.Error(codes.InvalidArgument, "name is required and was empty")
	case len(name) > stringLimit:
		return status.Errorf(codes.InvalidArgument, "name has %d bytes, and may have %d", len(name), stringLimit)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, isBanned):
		return status.Errorf(codes.InvalidArgument, "name %q has control characters, which are not allowed", name)
	}
	return nil
}

// isBanned reports whether a name may not have the character: control characters other
// than tab, line feed and carriage return (CSI spec, CreateVolumeRequest).
func isBanned(r rune) bool {
	return (r < 0x20 && !slices.Contains([]rune{'\t', '\n', '\r'}, r)) || (r >= 0x7f && r <= 0x9f)
}
