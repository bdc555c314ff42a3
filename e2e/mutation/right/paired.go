// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// paired simulates a driver whose volumes for two zones can only be in Z2 and Z3.
func paired() mutation.Fault {
	pair := []string{"Z2", "Z3"}
	inPair := func(t *csi.Topology) bool { return slices.Contains(pair, mutation.ZoneOf(t)) }
	elsewhere := func(t *csi.Topology) bool { return !inPair(t) }
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		if r.GetParameters()["zones"] != "2" {
			return right.CreateVolume(ctx, r)
		}
		given := r.GetAccessibilityRequirements()
		terms := slices.Concat(given.GetRequisite(), given.GetPreferred())
		known := !slices.ContainsFunc(terms, func(t *csi.Topology) bool { return !isOneOfRegion(t) })
		if !known || given != nil && len(terms) == 0 {
			return right.CreateVolume(ctx, r) // which refuses it
		}
		n := len(given.GetRequisite())
		in := len(slices.DeleteFunc(slices.Clone(given.GetRequisite()), elsewhere))
		// Two of the requisite must be in the pair, or all if there are fewer.
		if in < min(n, len(pair)) {
			return nil, status.Errorf(codes.ResourceExhausted, "volumes for two zones are in %v only, and %d of the requisite topologies are", pair, in)
		}
		var preferred []*csi.Topology
		for _, term := range given.GetPreferred() {
			if inPair(term) {
				preferred = append(preferred, term)
			}
		}
		r.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: []*csi.Topology{mutation.Zone(pair[0]), mutation.Zone(pair[1])}, Preferred: preferred}
		return right.CreateVolume(ctx, r)
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.GetCapacityRequest) (*csi.GetCapacityResponse, error) {
		told, err := right.GetCapacity(ctx, r)
		if err != nil || r.GetParameters()["zones"] != "2" || told.GetAvailableCapacity() == 0 {
			return told, err
		}
		if zone := mutation.ZoneOf(r.GetAccessibleTopology()); zone != "" && !slices.Contains(pair, zone) {
			return &csi.GetCapacityResponse{MinimumVolumeSize: told.GetMinimumVolumeSize()}, nil
		}
		// Room in only one zone of the pair is unusable.
		for _, zone := range pair {
			in, err := right.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: mutation.Zone(zone), VolumeCapabilities: r.GetVolumeCapabilities()})
			if err != nil {
				return nil, err
			}
			told.AvailableCapacity = min(told.GetAvailableCapacity(), in.GetAvailableCapacity())
			told.MaximumVolumeSize.Value = min(told.GetMaximumVolumeSize().GetValue(), in.GetMaximumVolumeSize().GetValue())
		}
		return told, nil
	}))
}

// isOneOfRegion reports whether the topology is one of the four zones, with all its keys.
func isOneOfRegion(t *csi.Topology) bool {
	return len(t.GetSegments()) == 2 && slices.Contains([]string{"Z2", "Z3", "Z4", "Z5"}, mutation.ZoneOf(t))
}

// namesBothZones simulates a driver that never chooses a zone outside of requisite, which is a MAY (TR-16). It returns an
// existing volume even for a request with one of its zones.
func namesBothZones() mutation.Fault {
	var created sync.Map // the names of volumes
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		if _, exists := created.Load(r.GetName()); !exists && r.GetParameters()["zones"] == "2" && len(r.GetAccessibilityRequirements().GetRequisite()) == 1 {
			return nil, status.Error(codes.InvalidArgument, "want two zones in requisite for a volume of two zones, found one")
		}
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			created.Store(r.GetName(), true)
		}
		return response, err
	})
}
