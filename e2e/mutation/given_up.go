// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// InTime waits long enough for a call to be given up, and reports whether the caller has not given it up.
func InTime(ctx context.Context) bool {
	const takes = 30 * time.Millisecond // a busy machine reports the end of a call late
	select {
	case <-time.After(takes):
		return true
	case <-ctx.Done():
		return false
	}
}

// AfterGivingUp makes a driver that continues a creation that was given up, and does instead when it is repeated.
func AfterGivingUp[Request interface {
	proto.Message
	GetName() string
}, Response proto.Message](create, instead func(ctx context.Context, right Right, r Request) (Response, error)) Fault {
	var givenUp sync.Map
	return On(func(ctx context.Context, right Right, r Request) (Response, error) {
		if _, again := givenUp.Load(r.GetName()); again {
			return instead(ctx, right, r)
		}
		if InTime(ctx) {
			return create(ctx, right, r)
		}
		givenUp.Store(r.GetName(), true)
		_, _ = create(context.WithoutCancel(ctx), right, r)
		var none Response
		return none, status.FromContextError(ctx.Err()).Err()
	})
}

// RefusingDeletions makes a driver that refuses three times, with INTERNAL, to continue a deletion that was given up.
func RefusingDeletions[Request, Response proto.Message](id func(Request) string, remove func(ctx context.Context, right Right, r Request) (Response, error)) Fault {
	var mu sync.Mutex
	refusals := map[string]int{}
	refuses := func(id string) bool {
		mu.Lock()
		defer mu.Unlock()
		refusals[id]--
		return refusals[id] >= 0
	}
	return On(func(ctx context.Context, right Right, r Request) (Response, error) {
		var none Response
		if refuses(id(r)) {
			return none, status.Error(codes.Internal, "it is only partly there")
		}
		if InTime(ctx) {
			return remove(ctx, right, r)
		}
		mu.Lock()
		defer mu.Unlock()
		refusals[id(r)] = 3
		return none, status.FromContextError(ctx.Err()).Err()
	})
}

// AddingGivenUp makes a driver that completes a growth whose caller gave up, and adds the same amount when the call is
// repeated.
func AddingGivenUp() Fault {
	var mu sync.Mutex
	sizes, given := map[string]int64{}, map[string]int64{}
	note := func(id string, bytes int64) {
		mu.Lock()
		defer mu.Unlock()
		sizes[id] = max(sizes[id], bytes)
	}
	return AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) { note(v.GetVolumeId(), v.GetCapacityBytes()) }).
		And(On(func(ctx context.Context, right Right, r *csi.ControllerExpandVolumeRequest) (*csi.ControllerExpandVolumeResponse, error) {
			inTime := InTime(ctx)
			mu.Lock()
			asked := r.GetCapacityRange().GetRequiredBytes()
			switch by, more := asked-sizes[r.GetVolumeId()], given[r.GetVolumeId()]; {
			case !inTime:
				given[r.GetVolumeId()] = max(by, more)
			case more > 0:
				r.CapacityRange = &csi.CapacityRange{RequiredBytes: asked + more}
				delete(given, r.GetVolumeId())
			}
			mu.Unlock()
			response, err := right.ControllerExpandVolume(context.WithoutCancel(ctx), r)
			if err == nil {
				note(r.GetVolumeId(), response.GetCapacityBytes())
			}
			if !inTime {
				return nil, status.FromContextError(ctx.Err()).Err()
			}
			return response, err
		}))
}
