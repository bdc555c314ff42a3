// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Asking makes a driver that reads a different request of one type than it got.
//
//	mutation.Asking(func(r *csi.CreateVolumeRequest) { r.CapacityRange = nil })
func Asking[Request proto.Message](change func(r Request)) Fault {
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		change(call.Request.(Request))
		return call.Perform(ctx)
	})
}

// Answering makes a driver that changes its answers to requests of one type, unless it refuses them.
//
//	mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) { response.NodeId = "" })
func Answering[Request, Response proto.Message](change func(r Request, response Response)) Fault {
	return Ending(func(r Request, response Response, err error) (Response, error) {
		if err == nil {
			change(r, response)
		}
		return response, err
	})
}

// Ending makes a driver that performs requests of one type, and then changes the result.
func Ending[Request, Response proto.Message](end func(r Request, response Response, err error) (Response, error)) Fault {
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		var response Response // nil with an error, like a client's answer
		if err == nil {
			response = answer.(Response)
		}
		return end(call.Request.(Request), response, err)
	})
}

// OnOK makes a driver that does something more when it has answered a request of one type with OK, such as recording state
// for a later fault.
func OnOK[Request proto.Message](do func(r Request)) Fault {
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		if err == nil {
			do(call.Request.(Request))
		}
		return answer, err
	})
}

// RefusingSome makes a driver that refuses some requests of one type, without any effect.
func RefusingSome[Request proto.Message](code codes.Code, message string, some func(r Request) bool) Fault {
	return Checking(func(r Request) error {
		if some(r) {
			return status.Error(code, message)
		}
		return nil
	})
}

// RefusingAll makes a driver that refuses all requests of one type, without any effect.
func RefusingAll[Request proto.Message](code codes.Code, message string) Fault {
	return RefusingSome(code, message, func(Request) bool { return true })
}

// Instead makes a driver that ignores requests of one type, and answers OK.
//
//	mutation.Instead(func(*csi.DeleteVolumeRequest) *csi.DeleteVolumeResponse { return &csi.DeleteVolumeResponse{} })
func Instead[Request, Response proto.Message](answer func(r Request) Response) Fault {
	return on[Request](func(_ context.Context, _ Right, call Call) (proto.Message, error) {
		return answer(call.Request.(Request)), nil
	})
}

// Checking makes a driver that refuses the requests of one type for which check returns an error.
func Checking[Request proto.Message](check func(r Request) error) Fault {
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		if err := check(call.Request.(Request)); err != nil {
			return nil, err
		}
		return call.Perform(ctx)
	})
}

// InsteadOf makes a driver that calls do if a request of one type should end with the code, which may be OK.
func InsteadOf[Request, Response proto.Message](code codes.Code,
	do func(ctx context.Context, right Right, r Request, refused error) (Response, error),
) Fault {
	return on[Request](func(ctx context.Context, right Right, call Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		if status.Code(err) == code {
			return do(ctx, right, call.Request.(Request), err)
		}
		return answer, err
	})
}

// Retrying makes a driver that performs a changed request if a request of one type should end with the code.
//
//	mutation.Retrying(codes.AlreadyExists, func(r *csi.CreateVolumeRequest) { r.Parameters = nil })
func Retrying[Request proto.Message](code codes.Code, change func(r Request)) Fault {
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		answer, err := call.Perform(ctx)
		if status.Code(err) != code {
			return answer, err
		}
		change(call.Request.(Request))
		return call.Perform(ctx)
	})
}

// Recoding makes a driver that refuses requests of one type with another code than it should, and with the same message. If
// the other code is OK, it answers with an empty response.
func Recoding[Request proto.Message](instead, other codes.Code) Fault {
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		answer, err := call.Perform(ctx) // the answer is empty with an error
		if refused := status.Convert(err); refused.Code() == instead {
			return answer, status.Error(other, refused.Message())
		}
		return answer, err
	})
}
