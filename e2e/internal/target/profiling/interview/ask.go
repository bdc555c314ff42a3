// SPDX-License-Identifier: Apache-2.0

package interview

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
)

// Findings holds a driver's answers.
type Findings struct {
	// Driver and Version are from GetPluginInfo, and Capabilities are the names of the capabilities of all services.
	Driver, Version string
	Capabilities    []string
	// Creates says that it claims to create volumes, Constrained that not all volumes are accessible from all nodes,
	// Measured that it claims to report capacity, and Modifies and Snapshots that it claims to modify volumes and to take
	// snapshots.
	Creates, Constrained, Measured, Modifies, Snapshots bool
	Nodes                                               []Node
	// Rooms are the answers of GetCapacity for each segment before anything was created, or without a segment if none is
	// known.
	Rooms []Room
	// Volume is the first created volume, and Refusals are the requests that were refused before it or in its place.
	Volume   *Volume
	Refusals []string
	// Block says that raw block volumes were also created.
	Block bool

	asked model.Request // of the first volume
}

// Node is an answer of NodeGetInfo.
type Node struct {
	ID         string
	Segment    model.Segment
	MaxVolumes int64
}

// Room is an answer of GetCapacity, in bytes.
type Room struct {
	Segment           model.Segment
	Available         int64
	Smallest, Largest int64  // of one volume; 0 if the answer does not say
	Refused           string // the status, unless it is OK
}

// Volume is a volume that could be created.
type Volume struct {
	Form       Form
	Bytes      int64
	Accessible model.Set
	Took       time.Duration
	// Taken is the decrease in bytes of its first segment's available capacity when it was created; Watched is false if
	// that could not be observed.
	Taken   int64
	Watched bool
}

// Ask asks the suite's driver. The profile of the suite's target contains everything that is already known, such as
// parameters.
func Ask(ctx context.Context, s *harness.Suite) (*Findings, error) {
	found := &Findings{}
	err := s.Ask(ctx, "interview", func(ctx context.Context, under *harness.Driver) error {
		info, err := under.Identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{})
		if err != nil {
			return fmt.Errorf("asking GetPluginInfo: %s", describe.Status(err))
		}
		found.Driver, found.Version = info.GetName(), info.GetVendorVersion()
		found.readClaims(under)
		for _, node := range under.Nodes {
			found.Nodes = append(found.Nodes, Node{ID: node.ID, Segment: node.Segment, MaxVolumes: node.MaxVolumes})
		}
		if found.Measured {
			for _, segment := range where(under) {
				found.Rooms = append(found.Rooms, roomIn(ctx, under, segment))
			}
		}
		if !found.Creates {
			return nil
		}
		return found.create(ctx, under)
	})
	return found, err
}

func (f *Findings) readClaims(under *harness.Driver) {
	for _, number := range slices.Sorted(maps.Keys(csi.PluginCapability_Service_Type_name)) {
		if service := csi.PluginCapability_Service_Type(number); under.ClaimsPlugin(service) {
			f.Capabilities = append(f.Capabilities, service.String())
		}
	}
	for _, number := range slices.Sorted(maps.Keys(csi.PluginCapability_VolumeExpansion_Type_name)) {
		if way := csi.PluginCapability_VolumeExpansion_Type(number); under.ClaimsExpansion(way) {
			f.Capabilities = append(f.Capabilities, "VOLUME_EXPANSION_"+way.String())
		}
	}
	for _, number := range slices.Sorted(maps.Keys(csi.ControllerServiceCapability_RPC_Type_name)) {
		if rpc := csi.ControllerServiceCapability_RPC_Type(number); under.Claims(rpc) {
			f.Capabilities = append(f.Capabilities, rpc.String())
		}
	}
	f.Creates = under.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME)
	f.Measured = under.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	f.Modifies = under.Claims(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME)
	f.Snapshots = under.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)
	f.Constrained = under.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
}

// where returns the segments to request the capacity of: one nil, for all together, if none is known.
func where(under *harness.Driver) []model.Segment {
	if segments := under.Segments(); len(segments) > 0 {
		return segments
	}
	return []model.Segment{nil}
}

func roomIn(ctx context.Context, under *harness.Driver, segment model.Segment) Room {
	room := Room{Segment: segment}
	response, err := under.Controller.GetCapacity(ctx, under.Room.Request(segment))
	if err != nil {
		room.Refused = describe.Status(err)
		return room
	}
	room.Available = response.GetAvailableCapacity()
	room.Smallest, room.Largest = response.GetMinimumVolumeSize().GetValue(), response.GetMaximumVolumeSize().GetValue()
	return room
}
