// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// roomReturning returns drivers whose room returns some time after a volume is deleted.
func roomReturning() []Driver {
	const few = 6 // the number of volumes that fit in a segment
	const late = 40 * time.Millisecond
	small := func(o *embedded.Options) { o.BytesPerSegment = few << 24 }
	atOnce := func(t *harness.Target) { t.Parallel = 8 }
	tooLarge := mutation.Recoding[*csi.ControllerExpandVolumeRequest](codes.ResourceExhausted, codes.OutOfRange)
	return []Driver{
		{
			Name:   "room-returns-late",
			Is:     "returns the room of a deleted volume after a while, like thin pools, in small segments, while eight cases run concurrently; a growth beyond the room is OUT_OF_RANGE",
			Driver: mutation.Driver{Profile: sharedDisks, Options: small, Target: atOnce, Fault: RoomReturns(late).And(tooLarge)},
		},
		{Name: "room-untold", Is: "is like room-returns-late, and does not report room",
			Driver: mutation.Driver{Profile: sharedDisks, Options: small, Target: atOnce,
				Fault: RoomReturns(late).Over(mutation.Lacking(csi.ControllerServiceCapability_RPC_GET_CAPACITY))}},
		{Name: "room-stays-away",
			Is:     "reports the room of deleted volumes only with its next inventory, hours later, and creates volumes there before",
			Driver: mutation.Driver{Profile: sharedDisks, Fault: (&inventoried{}).fault()}},
	}
}

// returning simulates a driver where a shadow, which it does not list, keeps the room of a deleted volume for a while.
type returning struct {
	after time.Duration

	mu      sync.Mutex
	shadows map[string]time.Time // until when, by volume_id
	cast    int
}

// RoomReturns makes a driver that returns the room of a deleted volume after the given time.
func RoomReturns(after time.Duration) mutation.Fault {
	r := &returning{after: after, shadows: map[string]time.Time{}}
	return mutation.OnAll(func(ctx context.Context, right mutation.Right, call mutation.Call) (proto.Message, error) {
		if !strings.HasPrefix(call.Method, "/csi.v1.Controller/") {
			return call.Perform(ctx)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if err := r.expire(ctx, right); err != nil {
			return nil, err
		}
		switch request := call.Request.(type) {
		case *csi.DeleteVolumeRequest:
			return r.delete(ctx, right, request)
		case *csi.ListVolumesRequest:
			return r.list(ctx, right, request)
		default:
			return call.Perform(ctx)
		}
	})
}

// expire removes the expired shadows.
func (r *returning) expire(ctx context.Context, right mutation.Right) error {
	for id, until := range r.shadows {
		if time.Now().Before(until) {
			continue
		}
		if _, err := right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: id}); err != nil {
			return err
		}
		delete(r.shadows, id)
	}
	return nil
}

func (r *returning) delete(ctx context.Context, right mutation.Right, request *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	before, unknown := right.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: request.GetVolumeId()})
	response, err := right.DeleteVolume(ctx, request)
	if err != nil || unknown != nil {
		return response, err
	}
	for _, in := range before.GetVolume().GetAccessibleTopology() {
		r.cast++
		made, err := right.CreateVolume(ctx, shadowOf(fmt.Sprint(r.cast), before.GetVolume().GetCapacityBytes(), in))
		if err != nil {
			return nil, err
		}
		r.shadows[made.GetVolume().GetVolumeId()] = time.Now().Add(r.after)
	}
	return response, nil
}

func (r *returning) list(ctx context.Context, right mutation.Right, request *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
	all, err := allVolumes(ctx, right, request)
	if err != nil {
		return nil, err
	}
	return pageOfVolumes(slices.DeleteFunc(all, func(e *csi.ListVolumesResponse_Entry) bool {
		_, is := r.shadows[e.GetVolume().GetVolumeId()]
		return is
	}), request)
}
