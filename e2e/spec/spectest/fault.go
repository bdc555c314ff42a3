package spectest

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// Right is the driver that is right, which a fault may still ask: the endpoint that the faulty call was meant for.
type Right struct {
	csi.IdentityClient
	csi.ControllerClient
	csi.NodeClient
}

// Fault is one way to be wrong: other handlers for some calls. The zero Fault is right.
type Fault struct {
	handlers map[reflect.Type]handler
	refuse   func(request proto.Message) error // nil refuses nothing
}

type handler func(ctx context.Context, right Right, request proto.Message) (proto.Message, error)

// On makes a fault of the calls with one type of request, at every endpoint. The handler owns the request.
//
//	spectest.On(func(ctx context.Context, right spectest.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
//		return &csi.DeleteVolumeResponse{}, nil
//	})
func On[Request, Response proto.Message](handle func(ctx context.Context, right Right, r Request) (Response, error)) Fault {
	return Fault{handlers: map[reflect.Type]handler{
		reflect.TypeFor[Request](): func(ctx context.Context, right Right, request proto.Message) (proto.Message, error) {
			return handle(ctx, right, request.(Request))
		},
	}}
}

// Refusing makes a driver that refuses some requests, whatever call they are for: those for which there is an error.
func Refusing(why func(request proto.Message) error) Fault {
	return Fault{refuse: why}
}

// And makes a fault that is wrong in both ways; both are of different calls, and one of them refuses none.
func (f Fault) And(other Fault) Fault {
	both := map[reflect.Type]handler{}
	maps.Copy(both, f.handlers)
	maps.Copy(both, other.handlers)
	refuse := f.refuse
	if refuse == nil {
		refuse = other.refuse
	}
	return Fault{both, refuse}
}

// faulty is a connection to a driver that is right, with a fault.
type faulty struct {
	grpc.ClientConnInterface
	fault Fault
}

// Invoke performs a call as the fault has it.
func (f faulty) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if f.fault.refuse != nil {
		if err := f.fault.refuse(request.(proto.Message)); err != nil {
			return err
		}
	}
	handle := f.fault.handlers[reflect.TypeOf(request)]
	if handle == nil {
		return f.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
	}
	conn := f.ClientConnInterface
	right := Right{csi.NewIdentityClient(conn), csi.NewControllerClient(conn), csi.NewNodeClient(conn)}
	answer, err := handle(ctx, right, proto.Clone(request.(proto.Message)))
	if err != nil {
		return err
	}
	proto.Merge(response.(proto.Message), answer)
	return nil
}

// Without is a driver whose controller does not claim the capability, though it has it.
func Without(lacking csi.ControllerServiceCapability_RPC_Type) Fault {
	return On(func(ctx context.Context, right Right, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
		response, err := right.ControllerGetCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.ControllerServiceCapability) bool {
			return c.GetRpc().GetType() == lacking
		})
		return response, nil
	})
}
