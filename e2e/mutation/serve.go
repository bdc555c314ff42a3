// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// serve answers every call of the CSI specification on a Unix socket as the connection does, until stop is called. Once ctx
// ends, every call fails.
func serve(ctx context.Context, socket string, conn grpc.ClientConnInterface) (stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("listening for csi-sanity: %w", err)
	}
	server := grpc.NewServer()
	services := csi.File_csi_proto.Services()
	for i := range services.Len() {
		described, err := describe(ctx, services.Get(i), conn)
		if err != nil {
			return nil, errors.Join(err, listener.Close())
		}
		server.RegisterService(described, nil)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // ends when the server is stopped
	}()
	return func() { server.Stop(); <-ended }, nil
}

// describe is a service of which every RPC is passed on to the connection, until ctx ends.
func describe(ctx context.Context, service protoreflect.ServiceDescriptor, conn grpc.ClientConnInterface) (*grpc.ServiceDesc, error) {
	described := &grpc.ServiceDesc{ServiceName: string(service.FullName()), HandlerType: (*any)(nil)}
	for i := range service.Methods().Len() {
		method := service.Methods().Get(i)
		if method.IsStreamingClient() || method.IsStreamingServer() {
			continue // of the alpha SnapshotMetadata service, which no case calls
		}
		request, err := protoregistry.GlobalTypes.FindMessageByName(method.Input().FullName())
		if err != nil {
			return nil, fmt.Errorf("looking for the request of %s: %w", method.FullName(), err)
		}
		response, err := protoregistry.GlobalTypes.FindMessageByName(method.Output().FullName())
		if err != nil {
			return nil, fmt.Errorf("looking for the response of %s: %w", method.FullName(), err)
		}
		name := fmt.Sprintf("/%s/%s", service.FullName(), method.Name())
		described.Methods = append(described.Methods, grpc.MethodDesc{
			MethodName: string(method.Name()),
			Handler: func(_ any, call context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				asked, answer := request.New().Interface(), response.New().Interface()
				if err := decode(asked); err != nil {
					return nil, err
				}
				call, cancel := context.WithCancel(call)
				defer cancel()
				defer context.AfterFunc(ctx, cancel)()
				return answer, conn.Invoke(call, name, asked, answer)
			},
		})
	}
	return described, nil
}
