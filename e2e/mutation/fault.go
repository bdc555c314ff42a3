// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"maps"
	"reflect"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// Right is the endpoint of the correct driver to which the faulty call is addressed. A fault may still call it.
type Right struct {
	csi.IdentityClient
	csi.ControllerClient
	csi.GroupControllerClient
	csi.SnapshotMetadataClient
	csi.NodeClient
}

// Fault is one fault of a driver: it has other handlers for some calls. The zero Fault changes nothing.
type Fault struct {
	handlers map[reflect.Type]handler
	streams  map[reflect.Type]streamHandler
	refuse   func(request proto.Message) error // nil refuses nothing
	around   Around                            // nil changes no calls
	inner    *Fault                            // called by Right; nil is the correct driver
}

// Call is one call of any RPC.
type Call struct {
	// Method is the full name of the RPC, such as /csi.v1.Node/NodeStageVolume.
	Method  string
	Request proto.Message

	perform func(ctx context.Context, request proto.Message) (proto.Message, error)
}

// Perform makes the call as it would be made without the fault. It may be called again.
func (c Call) Perform(ctx context.Context) (proto.Message, error) { return c.perform(ctx, c.Request) }

// With returns the call with another request of the same type.
func (c Call) With(request proto.Message) Call {
	c.Request = request
	return c
}

// Around answers calls of any RPC.
type Around func(ctx context.Context, right Right, call Call) (proto.Message, error)

// handler answers a call with a copy of the request; call.Perform makes the call to the correct driver.
type handler func(ctx context.Context, right Right, call Call) (proto.Message, error)

// On returns a fault of the calls with one type of request, at every endpoint. The handler owns the request.
//
//	mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
//		return &csi.DeleteVolumeResponse{}, nil
//	})
func On[Request, Response proto.Message](handle func(ctx context.Context, right Right, r Request) (Response, error)) Fault {
	return on[Request](func(ctx context.Context, right Right, call Call) (proto.Message, error) {
		return handle(ctx, right, call.Request.(Request))
	})
}

// on is like On, for a handler of any request.
func on[Request proto.Message](handle handler) Fault {
	return Fault{handlers: map[reflect.Type]handler{reflect.TypeFor[Request](): handle}}
}

// Refusing returns a fault that refuses requests, of any call, for which why returns an error.
func Refusing(why func(request proto.Message) error) Fault { return Fault{refuse: why} }

// OnAll returns a fault of all calls, at every endpoint.
func OnAll(handle Around) Fault { return Fault{around: handle} }

// Where restricts a fault of one type of requests to the requests that concern it.
func Where[Request proto.Message](concerned func(r Request) bool, f Fault) Fault {
	return on[Request](func(ctx context.Context, right Right, call Call) (proto.Message, error) {
		if !concerned(call.Request.(Request)) {
			return call.Perform(ctx)
		}
		return f.handle(ctx, right, call)
	})
}

// handle answers a call with the fault's handler for its request, which must exist.
func (f Fault) handle(ctx context.Context, right Right, call Call) (proto.Message, error) {
	return f.handlers[reflect.TypeOf(call.Request)](ctx, right, call)
}

// And combines two faults; they must be of different calls, and at most one of them refuses requests or is of all calls.
func (f Fault) And(other Fault) Fault {
	both := Fault{handlers: map[reflect.Type]handler{}, streams: map[reflect.Type]streamHandler{}, refuse: f.refuse, around: f.around, inner: f.inner}
	maps.Copy(both.handlers, f.handlers)
	maps.Copy(both.handlers, other.handlers)
	maps.Copy(both.streams, f.streams)
	maps.Copy(both.streams, other.streams)
	if both.refuse == nil {
		both.refuse = other.refuse
	}
	if both.around == nil {
		both.around = other.around
	}
	switch {
	case both.inner == nil:
		both.inner = other.inner
	case other.inner != nil:
		inner := both.inner.And(*other.inner)
		both.inner = &inner
	}
	return both
}

// Over puts a fault in front of another: when f calls the correct driver, the driver with the other fault answers.
func (f Fault) Over(other Fault) Fault {
	if f.inner != nil {
		other = f.inner.Over(other)
	}
	f.inner = &other
	return f
}

// In adds the fault to a connection to a driver.
func (f Fault) In(conn grpc.ClientConnInterface) grpc.ClientConnInterface { return faulty{conn, f} }

// faulty is a connection to a correct driver, with a fault.
type faulty struct {
	grpc.ClientConnInterface
	fault Fault
}

// Invoke makes a call with the fault.
func (f faulty) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if f.fault.refuse != nil {
		if err := f.fault.refuse(request.(proto.Message)); err != nil {
			return err
		}
	}
	conn := f.ClientConnInterface
	if f.fault.inner != nil {
		conn = faulty{conn, *f.fault.inner}
	}
	handle := f.fault.handlers[reflect.TypeOf(request)]
	if handle == nil && f.fault.around == nil {
		return conn.Invoke(ctx, method, request, response, opts...)
	}
	right := Right{csi.NewIdentityClient(conn), csi.NewControllerClient(conn), csi.NewGroupControllerClient(conn), csi.NewSnapshotMetadataClient(conn), csi.NewNodeClient(conn)}
	ask := func(ctx context.Context, request proto.Message) (proto.Message, error) {
		answer := response.(proto.Message).ProtoReflect().New().Interface()
		return answer, conn.Invoke(ctx, method, request, answer, opts...)
	}
	perform := ask
	if handle != nil {
		perform = func(ctx context.Context, request proto.Message) (proto.Message, error) {
			return handle(ctx, right, Call{method, proto.Clone(request), ask})
		}
	}
	answer, err := f.answer(ctx, right, Call{method, request.(proto.Message), perform})
	if err != nil {
		return err
	}
	proto.Merge(response.(proto.Message), answer)
	return nil
}

func (f faulty) answer(ctx context.Context, right Right, call Call) (proto.Message, error) {
	if f.fault.around == nil {
		return call.Perform(ctx)
	}
	return f.fault.around(ctx, right, call)
}

// Serially returns the fault for a driver that handles calls one at a time. A fault with state needs this if calls overlap:
// a call that was given up continues while it is repeated.
func (f Fault) Serially() Fault {
	var mu sync.Mutex
	return f.And(OnAll(func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		mu.Lock()
		defer mu.Unlock()
		return call.Perform(ctx)
	}))
}

// Serially returns the same drivers, each handling calls one at a time: cases run concurrently, and a fault with state then
// needs no lock.
func Serially(drivers map[string]Expectation) map[string]Expectation {
	serial := map[string]Expectation{}
	for name, expectation := range drivers {
		expectation.Fault = expectation.Fault.Serially()
		serial[name] = expectation
	}
	return serial
}
