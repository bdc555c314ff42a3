// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

const (
	// faultKey is the metadata key of a call for the fault that happens in it.
	faultKey = "crash-fault"
	// eventKey is the trailer key of a response for the events of the call.
	eventKey = "crash-event"
)

// sabotagedServer registers services whose calls carry their faults in the metadata, and return their events in the
// trailer. Only one call may run at a time.
type sabotagedServer struct {
	grpc.ServiceRegistrar
	saboteur *saboteur
}

// RegisterService implements grpc.ServiceRegistrar.
func (s sabotagedServer) RegisterService(description *grpc.ServiceDesc, implementation any) {
	sabotaged := *description
	sabotaged.Methods = nil
	for _, method := range description.Methods {
		handle := method.Handler
		method.Handler = func(service any, ctx context.Context, decode func(any) error, logging grpc.UnaryServerInterceptor) (any, error) {
			return handle(service, ctx, decode, s.around(logging))
		}
		sabotaged.Methods = append(sabotaged.Methods, method)
	}
	s.ServiceRegistrar.RegisterService(&sabotaged, implementation)
}

// around puts the saboteur between an interceptor and the call.
func (s sabotagedServer) around(outer grpc.UnaryServerInterceptor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		return outer(ctx, request, info, func(ctx context.Context, request any) (any, error) {
			f, err := decodeFault(metadata.ValueFromIncomingContext(ctx, faultKey)[0])
			if err != nil {
				return nil, err
			}
			s.saboteur.begin(f)
			response, err := handle(ctx, request)
			trailer := metadata.MD{}
			for _, event := range s.saboteur.end() {
				trailer.Append(eventKey, string(event))
			}
			if failed := grpc.SetTrailer(ctx, trailer); failed != nil {
				return nil, failed
			}
			return response, err
		})
	}
}
