// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"context"
	"fmt"
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

// rpcs returns every method of the services that the driver has. It has no
// changed blocks (SnapshotMetadata).
func rpcs() []rpc {
	var all []rpc
	for _, service := range []string{"Identity", "Controller", "GroupController", "Node"} {
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

// services are those of one driver and one of its nodes.
type services struct {
	identity   csi.IdentityServer
	controller csi.ControllerServer
	groups     csi.GroupControllerServer
	node       csi.NodeServer
}

// call calls the handler itself: nothing recovers from a panic in between.
func (s services) call(ctx context.Context, r rpc, request proto.Message) (proto.Message, error) {
	server, description := any(s.identity), csi.Identity_ServiceDesc
	switch r.service {
	case "Controller":
		server, description = s.controller, csi.Controller_ServiceDesc
	case "GroupController":
		server, description = s.groups, csi.GroupController_ServiceDesc
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
	return nil, fmt.Errorf("service %s has no method %s", r.service, r.name)
}

// deadline is how long a call over a socket may take on a slow machine: one that waits
// for what never comes shall fail by itself.
const deadline = time.Minute

// over calls a controller and a node by their connections.
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
		if err := connection.Invoke(ctx, r.path(), request, response); err != nil {
			return nil, err
		}
		return response, nil
	}
}
