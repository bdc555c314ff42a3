// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// Meanwhile makes a driver that takes a while for a request of one type, and is wrong about those that arrive meanwhile.
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

// RefusingSecond makes a driver that takes a while for a request of one type, and refuses with the code what arrives
// meanwhile.
func RefusingSecond[Request proto.Message](code codes.Code) Fault {
	return Meanwhile[Request](RefusingAll[Request](code, "another call is pending"))
}

// DeletingLate makes a driver that deletes a volume or a snapshot when it is asked again, and lists it until then.
func DeletingLate() Fault {
	return First((*csi.DeleteVolumeRequest).GetVolumeId, Instead(func(*csi.DeleteVolumeRequest) *csi.DeleteVolumeResponse { return &csi.DeleteVolumeResponse{} })).
		And(First((*csi.DeleteSnapshotRequest).GetSnapshotId, Instead(func(*csi.DeleteSnapshotRequest) *csi.DeleteSnapshotResponse { return &csi.DeleteSnapshotResponse{} })))
}
