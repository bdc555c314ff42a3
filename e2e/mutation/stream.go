// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"reflect"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// streamHandler answers a call with a copy of the request; perform makes the call to the correct driver.
type streamHandler func(ctx context.Context, request proto.Message, perform wire.Produce) ([]proto.Message, error)

// Streaming makes a driver that answers requests of one type with a different stream: change may change, drop or add
// messages, and returns the error that ends the stream. change gets a copy of the request.
//
//	mutation.Streaming(func(r *csi.GetMetadataAllocatedRequest, sent []*csi.GetMetadataAllocatedResponse, err error) ([]*csi.GetMetadataAllocatedResponse, error) {
//		return sent[1:], err
//	})
func Streaming[Request, Response proto.Message](change func(r Request, sent []Response, err error) ([]Response, error)) Fault {
	return StreamingAs(func(Request) {}, change)
}

// StreamingAs is like Streaming, for a driver that reads a different request than it got.
func StreamingAs[Request, Response proto.Message](ask func(r Request), change func(r Request, sent []Response, err error) ([]Response, error)) Fault {
	return Fault{streams: map[reflect.Type]streamHandler{reflect.TypeFor[Request](): func(ctx context.Context, request proto.Message, perform wire.Produce) ([]proto.Message, error) {
		asked := proto.Clone(request).(Request)
		ask(asked)
		messages, err := perform(ctx, asked)
		sent := make([]Response, 0, len(messages))
		for _, m := range messages {
			sent = append(sent, m.(Response))
		}
		changed, err := change(request.(Request), sent, err)
		messages = messages[:0]
		for _, m := range changed {
			messages = append(messages, m)
		}
		return messages, err
	}}}
}

// withoutMetadata makes a driver that does not have the RPCs of SnapshotMetadata, regardless of its claims.
func withoutMetadata() Fault {
	none := status.Error(codes.Unimplemented, "unknown service csi.v1.SnapshotMetadata")
	return Streaming(func(*csi.GetMetadataAllocatedRequest, []*csi.GetMetadataAllocatedResponse, error) ([]*csi.GetMetadataAllocatedResponse, error) {
		return nil, none
	}).And(Streaming(func(*csi.GetMetadataDeltaRequest, []*csi.GetMetadataDeltaResponse, error) ([]*csi.GetMetadataDeltaResponse, error) {
		return nil, none
	}))
}

// NewStream makes a call that is answered by a stream with the fault. A fault of all calls applies only to calls that
// are answered by one message.
func (f faulty) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	return wire.Stream(ctx, func(ctx context.Context, request proto.Message) ([]proto.Message, error) {
		request = proto.Clone(request)
		if f.fault.refuse != nil {
			if err := f.fault.refuse(request); err != nil {
				return nil, err
			}
		}
		conn := f.ClientConnInterface
		if f.fault.inner != nil {
			conn = faulty{conn, *f.fault.inner}
		}
		perform := func(ctx context.Context, request proto.Message) ([]proto.Message, error) {
			return wire.Collect(ctx, conn, method, request, opts...)
		}
		if handle := f.fault.streams[reflect.TypeOf(request)]; handle != nil {
			return handle(ctx, request, perform)
		}
		return perform(ctx, request)
	}), nil
}
