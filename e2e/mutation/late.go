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

// RefusingSecond makes a driver that takes a while for a request of one type, and refuses with the code what arrives
// meanwhile.
func RefusingSecond[Request proto.Message](code codes.Code) Fault {
	const while = 20 * time.Millisecond
	var pending atomic.Int64
	return on[Request](func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		defer pending.Add(-1)
		if pending.Add(1) > 1 {
			return nil, status.Error(code, "another call is pending")
		}
		<-time.After(while)
		return call.Perform(ctx)
	})
}

// DeletingLate makes a driver that deletes a volume or a snapshot when it is asked again, and lists it until then.
func DeletingLate() Fault {
	var asked sync.Map
	return On(func(ctx context.Context, right Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if _, again := asked.LoadOrStore(r.GetVolumeId(), true); !again {
			return &csi.DeleteVolumeResponse{}, nil
		}
		return right.DeleteVolume(ctx, r)
	}).And(On(func(ctx context.Context, right Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		if _, again := asked.LoadOrStore(r.GetSnapshotId(), true); !again {
			return &csi.DeleteSnapshotResponse{}, nil
		}
		return right.DeleteSnapshot(ctx, r)
	}))
}
