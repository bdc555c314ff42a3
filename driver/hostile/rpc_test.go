// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// rpc is a method of one of the services that the driver has.
type rpc struct {
	name    string
	service string
	method  protoreflect.MethodDescriptor
}

// rpcs returns every method of the services that the driver has.
func rpcs() []rpc {
	var all []rpc
	for _, service := range []string{"Identity", "Controller", "GroupController", "SnapshotMetadata", "Node"} {
		methods := csi.File_csi_proto.Services().ByName(protoreflect.Name(service)).Methods()
		for i := range methods.Len() {
			all = append(all, rpc{name: string(methods.Get(i).Name()), service: service, method: methods.Get(i)})
		}
	}
	return all
}

func rpcNamed(t testing.TB, name string) rpc {
	t.Helper()
	for _, r := range rpcs() {
		if r.name == name {
			return r
		}
	}
	t.Fatalf("the driver's services have no RPC %s", name)
	return rpc{}
}

func (r rpc) path() string { return fmt.Sprintf("/csi.v1.%s/%s", r.service, r.name) }

// message returns an empty message of the type.
func message(d protoreflect.MessageDescriptor) (proto.Message, error) {
	found, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
	if err != nil {
		return nil, fmt.Errorf("the type of %s: %w", d.FullName(), err)
	}
	return found.New().Interface(), nil
}

// caller sends a request to a driver.
type caller func(ctx context.Context, r rpc, request proto.Message) (proto.Message, error)

// services holds the services of one driver and one of its nodes.
type services struct {
	identity   csi.IdentityServer
	controller csi.ControllerServer
	groups     csi.GroupControllerServer
	metadata   csi.SnapshotMetadataServer
	node       csi.NodeServer
}

// call calls the handler directly, so that no interceptor recovers from a panic.
func (s services) call(ctx context.Context, r rpc, request proto.Message) (proto.Message, error) {
	server, description := any(s.identity), csi.Identity_ServiceDesc
	switch r.service {
	case "Controller":
		server, description = s.controller, csi.Controller_ServiceDesc
	case "GroupController":
		server, description = s.groups, csi.GroupController_ServiceDesc
	case "SnapshotMetadata":
		server, description = s.metadata, csi.SnapshotMetadata_ServiceDesc
	case "Node":
		server, description = s.node, csi.Node_ServiceDesc
	}
	for _, method := range description.Methods {
		if method.MethodName != r.name {
			continue
		}
		response, err := method.Handler(server, ctx, func(into any) error {
			proto.Merge(into.(proto.Message), request)
			return nil
		}, nil)
		if err != nil {
			return nil, err
		}
		return response.(proto.Message), nil
	}
	for _, method := range description.Streams {
		if method.StreamName == r.name {
			return r.callStream(ctx, server, method, request)
		}
	}
	return nil, fmt.Errorf("service %s has no method %s", r.service, r.name)
}

// callStream calls a streaming handler, and returns its messages merged into one.
func (r rpc) callStream(ctx context.Context, server any, method grpc.StreamDesc, request proto.Message) (proto.Message, error) {
	answer, err := message(r.method.Output())
	if err != nil {
		return nil, err
	}
	if err := method.Handler(server, &fakeStream{ctx: ctx, request: request, answer: answer}); err != nil {
		return nil, err
	}
	return answer, nil
}

// fakeStream is the stream of one call.
type fakeStream struct {
	grpc.ServerStream
	ctx             context.Context
	request, answer proto.Message
}

func (s *fakeStream) Context() context.Context { return s.ctx }

func (s *fakeStream) RecvMsg(into any) error {
	proto.Merge(into.(proto.Message), s.request)
	return nil
}

func (s *fakeStream) SendMsg(part any) error {
	proto.Merge(s.answer, part.(proto.Message))
	return nil
}

// receive makes a streaming call, and merges the messages into one response.
func (r rpc) receive(ctx context.Context, connection *grpc.ClientConn, request, response proto.Message) error {
	stream, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, r.path())
	if err != nil {
		return err
	}
	if err := errors.Join(stream.SendMsg(request), stream.CloseSend()); err != nil {
		return err
	}
	for {
		part := response.ProtoReflect().New().Interface()
		switch err := stream.RecvMsg(part); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		proto.Merge(response, part)
	}
}

// deadline limits how long a call over a socket takes on a slow machine: a call that
// waits in vain must fail by itself.
const deadline = time.Minute

// over returns a caller of a controller and a node by their connections.
func over(controller, node *grpc.ClientConn) caller {
	return func(ctx context.Context, r rpc, request proto.Message) (proto.Message, error) {
		response, err := message(r.method.Output())
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, deadline)
		defer cancel()
		connection := controller
		if r.service == "Node" {
			connection = node
		}
		if r.method.IsStreamingServer() {
			return response, r.receive(ctx, connection, request, response)
		}
		if err := connection.Invoke(ctx, r.path(), request, response); err != nil {
			return nil, err
		}
		return response, nil
	}
}
