// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path"
	"path/filepath"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// handler answers a call; perform calls the driver behind it.
type handler func(ctx context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error)

// between serves a driver's endpoint at another socket, with the handler in front, and returns that endpoint.
func between(t testing.TB, endpoint string, handle handler) string {
	t.Helper()
	conn, err := wire.Dial(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "between") // a short path, for a socket
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "csi.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnaryInterceptor(func(ctx context.Context, request any, call *grpc.UnaryServerInfo, _ grpc.UnaryHandler) (any, error) {
		kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName("csi.v1." + path.Base(call.FullMethod) + "Response"))
		if err != nil {
			return nil, err
		}
		answer, err := handle(ctx, request.(proto.Message), func() (proto.Message, error) {
			response := kind.New().Interface()
			return response, conn.Invoke(ctx, call.FullMethod, request, response)
		})
		if err != nil {
			return nil, err
		}
		return answer, nil
	}))
	csi.RegisterIdentityServer(server, csi.UnimplementedIdentityServer{})
	csi.RegisterControllerServer(server, csi.UnimplementedControllerServer{})
	csi.RegisterNodeServer(server, csi.UnimplementedNodeServer{})
	csi.RegisterGroupControllerServer(server, csi.UnimplementedGroupControllerServer{})
	csi.RegisterSnapshotMetadataServer(server, passedOn{driver: csi.NewSnapshotMetadataClient(conn)})
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
		_ = conn.Close() // no more calls follow
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return "unix://" + socket
}

// passedOn forwards streaming calls to the driver, without the handler.
type passedOn struct {
	csi.UnimplementedSnapshotMetadataServer

	driver csi.SnapshotMetadataClient
}

func (p passedOn) GetMetadataAllocated(r *csi.GetMetadataAllocatedRequest, to csi.SnapshotMetadata_GetMetadataAllocatedServer) error {
	from, err := p.driver.GetMetadataAllocated(to.Context(), r)
	return forward(err, func() (*csi.GetMetadataAllocatedResponse, error) { return from.Recv() }, to.Send)
}

func (p passedOn) GetMetadataDelta(r *csi.GetMetadataDeltaRequest, to csi.SnapshotMetadata_GetMetadataDeltaServer) error {
	from, err := p.driver.GetMetadataDelta(to.Context(), r)
	return forward(err, func() (*csi.GetMetadataDeltaResponse, error) { return from.Recv() }, to.Send)
}

func forward[Message any](err error, receive func() (Message, error), send func(Message) error) error {
	for err == nil {
		var message Message
		if message, err = receive(); err == nil {
			err = send(message)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
