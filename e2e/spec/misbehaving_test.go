package spec_test

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// misbehaving is a connection to a driver that is right, with one behaviour that is wrong.
type misbehaving struct {
	grpc.ClientConnInterface
	as behaviour
}

// behaviour replaces calls of a controller; a nil one is left as it is. right is the driver that is right.
type behaviour struct {
	create func(ctx context.Context, right csi.ControllerClient, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error)
	delete func(ctx context.Context, right csi.ControllerClient, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error)
	claim  func(ctx context.Context, right csi.ControllerClient, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error)
}

func (m misbehaving) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	right := csi.NewControllerClient(m.ClientConnInterface)
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		if m.as.create != nil {
			answer, err := m.as.create(ctx, right, proto.CloneOf(r))
			return answered(response, answer, err)
		}
	case *csi.DeleteVolumeRequest:
		if m.as.delete != nil {
			answer, err := m.as.delete(ctx, right, r)
			return answered(response, answer, err)
		}
	case *csi.ControllerGetCapabilitiesRequest:
		if m.as.claim != nil {
			answer, err := m.as.claim(ctx, right, r)
			return answered(response, answer, err)
		}
	}
	return m.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
}

func answered(response any, answer proto.Message, err error) error {
	if err != nil {
		return err
	}
	proto.Merge(response.(proto.Message), answer)
	return nil
}

// withoutCapability makes a driver that does not claim a capability.
func withoutCapability(lacking csi.ControllerServiceCapability_RPC_Type) behaviour {
	return behaviour{claim: func(ctx context.Context, right csi.ControllerClient, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
		response, err := right.ControllerGetCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.ControllerServiceCapability) bool {
			return c.GetRpc().GetType() == lacking
		})
		return response, nil
	}}
}

// asking makes a driver that understands another request than it got.
func asking(change func(*csi.CreateVolumeRequest)) behaviour {
	return behaviour{create: func(ctx context.Context, right csi.ControllerClient, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		change(r)
		return right.CreateVolume(ctx, r)
	}}
}

// answering makes a driver that says of its volume something else than what it made.
func answering(change func(*csi.CreateVolumeRequest, *csi.Volume)) behaviour {
	return behaviour{create: func(ctx context.Context, right csi.ControllerClient, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			change(r, response.GetVolume())
		}
		return response, err
	}}
}

// whenFull makes a driver that does something else than to answer RESOURCE_EXHAUSTED.
func whenFull(instead func(ctx context.Context, right csi.ControllerClient, r *csi.CreateVolumeRequest, exhausted error) (*csi.CreateVolumeResponse, error)) behaviour {
	return behaviour{create: func(ctx context.Context, right csi.ControllerClient, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if status.Code(err) == codes.ResourceExhausted {
			return instead(ctx, right, r, err)
		}
		return response, err
	}}
}

// saying answers a full segment with another status.
func saying(other func(exhausted *status.Status) error) behaviour {
	return whenFull(func(_ context.Context, _ csi.ControllerClient, _ *csi.CreateVolumeRequest, exhausted error) (*csi.CreateVolumeResponse, error) {
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
