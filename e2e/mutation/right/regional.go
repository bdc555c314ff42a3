// SPDX-License-Identifier: Apache-2.0

package right

import (
	"cmp"
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// regionalDisks says that a volume for two zones is within one region.
const regionalDisks = `driver: hostpath.topo.csi
volumeBytes: 16777216
volumes:
- accessibleFrom: 1
- accessibleFrom: 2
  parameters: {zones: "2"}
  sharing: topology.hostpath.topo.csi/region
mutableParameters: {allocation: thick}
block: true
capacity: exact
`

// pairs holds the zones of the two regions.
var pairs = [][]*csi.Topology{{inRegion("R1", "Z2"), inRegion("R1", "Z3")}, {inRegion("R2", "Z4"), inRegion("R2", "Z5")}}

func inRegion(region, zone string) *csi.Topology {
	return &csi.Topology{Segments: map[string]string{topology.RegionKey: region, topology.ZoneKey: zone}}
}

func twoRegions(o *embedded.Options) {
	for _, pair := range pairs {
		for _, zone := range pair {
			o.Segments = append(o.Segments, zone.GetSegments())
		}
	}
}

// regional simulates a driver whose volumes for two zones are in the two zones of one region.
func regional() mutation.Fault {
	return mutation.On(createRegional).And(mutation.On(capacityOfRegions))
}

func createRegional(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	given := r.GetAccessibilityRequirements()
	terms := slices.Concat(given.GetRequisite(), given.GetPreferred())
	unknown := slices.ContainsFunc(terms, func(t *csi.Topology) bool { return pairOf(t) == nil })
	if r.GetParameters()["zones"] != "2" {
		return right.CreateVolume(ctx, r)
	}
	if unknown || given != nil && len(terms) == 0 {
		return refuseApart(ctx, right, r)
	}
	refused := status.Error(codes.ResourceExhausted, "a volume for two zones is within one region, and no region has enough of the requisite topologies")
	for _, pair := range preferring(given.GetPreferred()) {
		in := func(t *csi.Topology) bool { return contains(pair, t) }
		if requisite := only(given.GetRequisite(), in); len(requisite) < min(len(given.GetRequisite()), len(pair)) {
			continue
		}
		asked := proto.CloneOf(r)
		asked.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: pair, Preferred: only(given.GetPreferred(), in)}
		response, err := right.CreateVolume(ctx, asked)
		switch status.Code(err) {
		case codes.ResourceExhausted:
		case codes.AlreadyExists:
			refused = err // unless the volume of the name is in the other region
		default:
			return response, err
		}
	}
	return nil, refused
}

// refuseApart creates a volume with topologies that nodes do not report, unless it would be in two regions.
func refuseApart(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	response, err := right.CreateVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	topologies := response.GetVolume().GetAccessibleTopology()
	if len(topologies) == 0 || contains(pairOf(topologies[0]), topologies[len(topologies)-1]) {
		return response, nil
	}
	if _, err := right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: response.GetVolume().GetVolumeId()}); err != nil {
		return nil, err
	}
	return nil, status.Error(codes.InvalidArgument, "a volume for two zones is within one region: name zones of one, with both keys")
}

// capacityOfRegions reports for volumes in two zones the room that both zones of a region have.
func capacityOfRegions(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
	told, err := right.GetCapacity(ctx, r)
	if err != nil || r.GetParameters()["zones"] != "2" || told.GetAvailableCapacity() == 0 {
		return told, err
	}
	asked := r.GetAccessibleTopology()
	told.AvailableCapacity, told.MaximumVolumeSize.Value = 0, 0
	for _, pair := range pairs {
		if pair = only(pair, func(t *csi.Topology) bool { return asked == nil || matches(t, asked) || contains(pairOf(asked), t) }); len(pair) == 0 {
			continue
		}
		var rooms, largest []int64
		for _, zone := range pair {
			in, err := right.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: zone, VolumeCapabilities: r.GetVolumeCapabilities()})
			if err != nil {
				return nil, err
			}
			rooms, largest = append(rooms, in.GetAvailableCapacity()), append(largest, in.GetMaximumVolumeSize().GetValue())
		}
		told.AvailableCapacity += slices.Min(rooms)
		told.MaximumVolumeSize.Value = max(told.GetMaximumVolumeSize().GetValue(), slices.Min(largest))
	}
	return told, nil
}

// preferring returns the pairs, in the order in which the topologies name a zone of each.
func preferring(preferred []*csi.Topology) [][]*csi.Topology {
	first := func(pair []*csi.Topology) int {
		if i := slices.IndexFunc(preferred, func(t *csi.Topology) bool { return contains(pair, t) }); i >= 0 {
			return i
		}
		return len(preferred)
	}
	sorted := slices.Clone(pairs)
	slices.SortStableFunc(sorted, func(a, b []*csi.Topology) int { return cmp.Compare(first(a), first(b)) })
	return sorted
}

// pairOf returns the zones of the region of the zone, or none for any other topology.
func pairOf(zone *csi.Topology) []*csi.Topology {
	for _, pair := range pairs {
		if contains(pair, zone) {
			return pair
		}
	}
	return nil
}

func contains(terms []*csi.Topology, term *csi.Topology) bool {
	return slices.ContainsFunc(terms, func(t *csi.Topology) bool { return proto.Equal(t, term) })
}

func only(terms []*csi.Topology, such func(*csi.Topology) bool) []*csi.Topology {
	return slices.DeleteFunc(slices.Clone(terms), func(t *csi.Topology) bool { return !such(t) })
}

// matches reports whether the zone has every key of the term.
func matches(zone, term *csi.Topology) bool {
	for key, value := range term.GetSegments() {
		if zone.GetSegments()[key] != value {
			return false
		}
	}
	return true
}
