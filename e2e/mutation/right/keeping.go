// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// keeping returns drivers that keep what others are made of.
func keeping() []Driver {
	return []Driver{{Name: "sources-stay",
		Is:     "deletes no snapshot while volumes restored from it exist, and no volume while clones or snapshots of it exist, like ZFS",
		Driver: mutation.Driver{Fault: (&origins{of: map[string]string{}}).fault()}}}
}

// origins simulates a driver that refuses to delete what another volume or snapshot was
// made of.
type origins struct {
	mu sync.Mutex
	of map[string]string // by the id of a volume or a snapshot, the id of what it was made of
}

func (o *origins) fault() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		deleted := deletedBy(call.Request)
		if err := o.check(deleted); err != nil {
			return nil, err
		}
		response, err := call.Perform(ctx)
		if err == nil {
			o.note(call.Request, response, deleted)
		}
		return response, err
	})
}

// deletedBy returns the ids of what a call deletes.
func deletedBy(request proto.Message) []string {
	switch r := request.(type) {
	case *csi.DeleteVolumeRequest:
		return []string{r.GetVolumeId()}
	case *csi.DeleteSnapshotRequest:
		return []string{r.GetSnapshotId()}
	case *csi.DeleteVolumeGroupSnapshotRequest:
		return r.GetSnapshotIds()
	default:
		return nil
	}
}

func (o *origins) check(deleted []string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, id := range deleted {
		for copied, of := range o.of {
			if of == id {
				return status.Errorf(codes.FailedPrecondition, "%s is what %s was made of: delete that first", id, copied)
			}
		}
	}
	return nil
}

func (o *origins) note(request, response proto.Message, deleted []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, id := range deleted {
		delete(o.of, id)
	}
	switch r := response.(type) {
	case *csi.CreateVolumeResponse:
		source := r.GetVolume().GetContentSource()
		if id := source.GetVolume().GetVolumeId() + source.GetSnapshot().GetSnapshotId(); id != "" {
			o.of[r.GetVolume().GetVolumeId()] = id
		}
	case *csi.CreateSnapshotResponse:
		o.of[r.GetSnapshot().GetSnapshotId()] = request.(*csi.CreateSnapshotRequest).GetSourceVolumeId()
	case *csi.CreateVolumeGroupSnapshotResponse:
		for _, snapshot := range r.GetGroupSnapshot().GetSnapshots() {
			o.of[snapshot.GetSnapshotId()] = snapshot.GetSourceVolumeId()
		}
	}
}
