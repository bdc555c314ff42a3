// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	createRequest  = csi.CreateVolumeRequest
	createResponse = csi.CreateVolumeResponse
)

// asking makes a driver that understands another request than it got: always, or when all of those are so.
func asking(change func(*createRequest), when ...func(*createRequest) bool) mutation.Fault {
	return mutation.Asking(func(r *createRequest) {
		if !slices.ContainsFunc(when, func(isSo func(*createRequest) bool) bool { return !isSo(r) }) {
			change(r)
		}
	})
}

// saying answers a full segment with another status.
func saying(other func(exhausted *status.Status) error) mutation.Fault {
	return mutation.InsteadOf(codes.ResourceExhausted, func(_ context.Context, _ mutation.Right, _ *createRequest, exhausted error) (*createResponse, error) {
		return nil, other(status.Convert(exhausted))
	})
}

// anywhere drops what a request says of where the volume is to be.
func anywhere(r *createRequest) { r.AccessibilityRequirements = nil }

func contains(topologies []*csi.Topology, wanted *csi.Topology) bool {
	return slices.ContainsFunc(topologies, func(t *csi.Topology) bool { return maps.Equal(t.GetSegments(), wanted.GetSegments()) })
}
