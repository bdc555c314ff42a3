// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// letGo is the time that a volume stays in use after its last use.
const letGo = 20 * time.Millisecond

func lingering() []Driver {
	return []Driver{{Name: "lets-go-late",
		Is:     "takes a while to release a volume that was detached, or whose snapshot was deleted: until then it is in use",
		Given:  []Endpoints{All, Controller}, // only the controller reports snapshots
		Driver: mutation.Driver{Profile: exactDisks, Fault: (&lettingGo{}).fault()}}}
}

// lettingGo simulates a driver that refuses to delete a volume for a while after its last use (DV-05).
type lettingGo struct {
	mu       sync.Mutex
	sources  map[string]string    // the volume of each snapshot
	attached map[string]bool      // the existing volumes
	until    map[string]time.Time // when the back end has released a volume
}

func (l *lettingGo) fault() mutation.Fault {
	l.sources, l.attached, l.until = map[string]string{}, map[string]bool{}, map[string]time.Time{}
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if r, deletes := call.Request.(*csi.DeleteVolumeRequest); deletes && l.holds(r.GetVolumeId()) {
			return nil, status.Errorf(codes.FailedPrecondition, "volume %q is in use: the back end has not let go of it yet", r.GetVolumeId())
		}
		response, err := call.Perform(ctx)
		if err == nil {
			l.note(call.Request, response)
		}
		return response, err
	})
}

func (l *lettingGo) holds(volumeID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Before(l.until[volumeID])
}

// note records the uses of a volume, and when they ended.
func (l *lettingGo) note(request, response proto.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch r := request.(type) {
	case *csi.ControllerPublishVolumeRequest:
		l.attached[r.GetVolumeId()] = true
	case *csi.ControllerUnpublishVolumeRequest:
		if l.attached[r.GetVolumeId()] {
			l.until[r.GetVolumeId()] = time.Now().Add(letGo)
		}
		delete(l.attached, r.GetVolumeId())
	case *csi.DeleteVolumeRequest: // which may be repeated
		delete(l.until, r.GetVolumeId())
		maps.DeleteFunc(l.sources, func(_, source string) bool { return source == r.GetVolumeId() })
	case *csi.CreateSnapshotRequest:
		l.sources[response.(*csi.CreateSnapshotResponse).GetSnapshot().GetSnapshotId()] = r.GetSourceVolumeId()
	case *csi.DeleteSnapshotRequest:
		if volumeID, found := l.sources[r.GetSnapshotId()]; found {
			l.until[volumeID] = time.Now().Add(letGo)
		}
		delete(l.sources, r.GetSnapshotId())
	}
}
