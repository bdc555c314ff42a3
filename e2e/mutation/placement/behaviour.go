// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// creating is a driver with another CreateVolume.
func creating(create func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error)) mutation.Fault {
	return mutation.On(create)
}

// asking makes a driver that understands another request than it got: always, or when all of those are so.
func asking(change func(*csi.CreateVolumeRequest), when ...func(*csi.CreateVolumeRequest) bool) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		if !slices.ContainsFunc(when, func(isSo func(*csi.CreateVolumeRequest) bool) bool { return !isSo(r) }) {
			change(r)
		}
		return right.CreateVolume(ctx, r)
	})
}

// answering makes a driver that says of its volume something else than what it made.
func answering(change func(*csi.CreateVolumeRequest, *csi.Volume)) mutation.Fault {
	return mutation.Answering(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		change(r, response.GetVolume())
	})
}

// whenFull makes a driver that does something else than to answer RESOURCE_EXHAUSTED.
func whenFull(instead func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest, exhausted error) (*csi.CreateVolumeResponse, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if status.Code(err) == codes.ResourceExhausted {
			return instead(ctx, right, r, err)
		}
		return response, err
	})
}

// saying answers a full segment with another status.
func saying(other func(exhausted *status.Status) error) mutation.Fault {
	return whenFull(func(_ context.Context, _ mutation.Right, _ *csi.CreateVolumeRequest, exhausted error) (*csi.CreateVolumeResponse, error) {
		return nil, other(status.Convert(exhausted))
	})
}

const (
	regionKey = "topology.hostpath.topo.csi/region"
	zoneKey   = "topology.hostpath.topo.csi/zone"
)

func zone(name string) *csi.Topology {
	return &csi.Topology{Segments: map[string]string{regionKey: "R1", zoneKey: name}}
}

func zoneOf(topology *csi.Topology) string {
	return topology.GetSegments()[zoneKey]
}

func byZone(a, b *csi.Topology) int {
	return strings.Compare(zoneOf(a), zoneOf(b))
}

func contains(topologies []*csi.Topology, wanted *csi.Topology) bool {
	return slices.ContainsFunc(topologies, func(t *csi.Topology) bool { return maps.Equal(t.GetSegments(), wanted.GetSegments()) })
}
