// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func described() []Driver {
	return []Driver{
		{Name: "needs-volume-context",
			Is:     "validates and publishes a volume only with its volume_context, which a CO must pass (line 1084)",
			Driver: mutation.Driver{Profile: exactDisks, Fault: needingContext()}},
		{Name: "region-of-a-zone",
			Is: "is like region-term, and also knows the region of a zone that is named alone; its vendor says that a volume is accessible from one topology",
			Driver: mutation.Driver{Profile: anyDisks + "volumes: [{accessibleFrom: 1}]\n", Options: regions("R1", "R1", "R1", "R1"), Fault: topologies{
				node: inZone, asked: regionOf,
			}.fault()}},
		{Name: "a-node-anywhere",
			Is: "has one node without accessible_topology beside nodes with one: it reaches volumes without constraints, and there are none",
			Driver: mutation.Driver{Profile: exactDisks, Options: func(o *embedded.Options) {
				for _, zone := range []string{"Z2", "Z3", "Z4", "Z5", "Z2"} {
					o.Segments = append(o.Segments, topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: zone})
				}
			}, Fault: anywhere("node-5")}},
	}
}

const contextKey = "pool"

// needingContext makes a driver whose volumes have a volume_context that its other calls need.
func needingContext() mutation.Fault {
	var made sync.Map // the created volumes, by id: other volumes have no volume_context
	described := func(v *csi.Volume) {
		made.Store(v.GetVolumeId(), true)
		v.VolumeContext = map[string]string{contextKey: "fast"}
	}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		request := proto.Clone(call.Request)
		switch r := request.(type) {
		case *csi.ValidateVolumeCapabilitiesRequest, *csi.ControllerPublishVolumeRequest, *csi.NodeStageVolumeRequest, *csi.NodePublishVolumeRequest:
			about := r.(interface {
				GetVolumeId() string
				GetVolumeContext() map[string]string
			})
			if _, exists := made.Load(about.GetVolumeId()); exists && about.GetVolumeContext()[contextKey] == "" {
				return nil, status.Errorf(codes.InvalidArgument, "volume_context has no %s", contextKey)
			}
			delete(about.GetVolumeContext(), contextKey) // which the driver behind does not know
		}
		return call.With(request).Perform(ctx)
	}).Over(mutation.Describing(described).And(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) { described(v) })).
		And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) { made.Delete(r.GetVolumeId()) })))
}

// regionOf adds the region to each topology that names one of its zones, or replaces the zone by it.
func regionOf(terms []*csi.Topology) []*csi.Topology {
	whole := make([]*csi.Topology, 0, len(terms))
	for _, term := range terms {
		if _, known := zonesOfRegion[term.GetSegments()[topology.ZoneKey]]; known && len(term.GetSegments()) == 1 {
			term = &csi.Topology{Segments: map[string]string{topology.RegionKey: "R1"}}
		}
		whole = append(whole, term)
	}
	return without(topology.ZoneKey)(whole)
}

var zonesOfRegion = map[string]bool{"Z2": true, "Z3": true, "Z4": true, "Z5": true}

// anywhere makes a driver whose node does not report its topology, so that it does not know which volumes are
// accessible either.
func anywhere(id string) mutation.Fault {
	return mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) {
		if response.GetNodeId() == id {
			response.AccessibleTopology = nil
		}
	}).And(mutation.RefusingSome(codes.FailedPrecondition, id+" reaches volumes without topological constraints only",
		func(r *csi.ControllerPublishVolumeRequest) bool { return r.GetNodeId() == id && r.GetVolumeId() != "" }))
}
