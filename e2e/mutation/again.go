// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Again makes a driver that is wrong about a request of one type if a request with the same key was answered with OK
// before.
//
//	mutation.Again((*csi.CreateVolumeRequest).GetName, mutation.RefusingAll[*csi.CreateVolumeRequest](codes.Internal, "the name is taken"))
func Again[Request proto.Message](key func(r Request) string, f Fault) Fault {
	return repeated(key, on[Request](performing), f)
}

// First makes a driver that is wrong about a request of one type until a request with the same key was answered with OK.
func First[Request proto.Message](key func(r Request) string, f Fault) Fault {
	return repeated(key, f, on[Request](performing))
}

func performing(ctx context.Context, _ Right, call Call) (proto.Message, error) {
	return call.Perform(ctx)
}

// repeated makes a driver with one fault until a request with the key was answered with OK, and with another fault from then on.
func repeated[Request proto.Message](key func(r Request) string, until, then Fault) Fault {
	var answered sync.Map
	return on[Request](func(ctx context.Context, right Right, call Call) (proto.Message, error) {
		k := key(call.Request.(Request)) // which the fault may change
		if _, again := answered.Load(k); again {
			return then.handle(ctx, right, call)
		}
		answer, err := until.handle(ctx, right, call)
		if err == nil {
			answered.Store(k, true)
		}
		return answer, err
	})
}

// Remembering makes a driver that repeats its answer to the first request with the same key, for requests of one type.
func Remembering[Request proto.Message](key func(r Request) string) Fault {
	var answers sync.Map
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		k := key(call.Request.(Request))
		if before, found := answers.Load(k); found {
			return proto.Clone(before.(proto.Message)), nil
		}
		answer, err := call.Perform(ctx)
		if err == nil {
			answers.Store(k, proto.Clone(answer))
		}
		return answer, err
	})
}

// RememberingInsteadOf makes a driver that repeats its last answer to a request of one type with the same key, where it
// should refuse the request with the code.
func RememberingInsteadOf[Request proto.Message](code codes.Code, key func(r Request) string) Fault {
	var answers sync.Map
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		k := key(call.Request.(Request))
		answer, err := call.Perform(ctx)
		if before, found := answers.Load(k); found && status.Code(err) == code {
			return proto.Clone(before.(proto.Message)), nil
		}
		if err == nil {
			answers.Store(k, proto.Clone(answer))
		}
		return answer, err
	})
}

// Meanwhile makes a driver that delays requests of one type, and is wrong about those that arrive meanwhile.
func Meanwhile[Request proto.Message](f Fault) Fault {
	const while = 20 * time.Millisecond
	var pending atomic.Int64
	return on[Request](func(ctx context.Context, right Right, call Call) (proto.Message, error) {
		defer pending.Add(-1)
		if pending.Add(1) > 1 {
			return f.handle(ctx, right, call)
		}
		<-time.After(while)
		return call.Perform(ctx)
	})
}

// RefusingSecond makes a driver that delays requests of one type, and refuses with the code those that arrive meanwhile.
func RefusingSecond[Request proto.Message](code codes.Code) Fault {
	return Meanwhile[Request](RefusingAll[Request](code, "another call is pending"))
}

// DeletingLate makes a driver that deletes a volume or a snapshot only on the second request, and lists it until then.
func DeletingLate() Fault {
	return First((*csi.DeleteVolumeRequest).GetVolumeId, Instead(func(*csi.DeleteVolumeRequest) *csi.DeleteVolumeResponse { return &csi.DeleteVolumeResponse{} })).
		And(First((*csi.DeleteSnapshotRequest).GetSnapshotId, Instead(func(*csi.DeleteSnapshotRequest) *csi.DeleteSnapshotResponse { return &csi.DeleteSnapshotResponse{} })))
}
