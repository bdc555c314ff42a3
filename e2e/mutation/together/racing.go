// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// racing returns drivers that check before they lock.
func racing() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"two creations of one name at once make two volumes":         mutation.Wide(makesTwo(), mutation.Warns("history_of_name", "CV-07")),
		"a volume that is created while its name is deleted is gone": mutation.Wide(deletesNewVolumes(), mutation.Fails("history_of_name", "CV-02")),
		"a snapshot that is taken while its name is deleted is gone": mutation.Wide(deletesNewSnapshots(), mutation.Fails("history_of_snapshot", "CS-03")),
		"two attachments of a volume at once, to two nodes, are both OK, and any mode is confirmed": mutation.Wide(attachesToBoth(),
			mutation.Fails("history_of_publication", "CP-34")),
		"two attachments of a volume at once, to two nodes, are both OK": mutation.Wide(attachesToBoth().And(mutation.Answering(func(r *csi.ValidateVolumeCapabilitiesRequest, response *csi.ValidateVolumeCapabilitiesResponse) {
			for _, capability := range r.GetVolumeCapabilities() {
				if strings.HasPrefix(capability.GetAccessMode().GetMode().String(), "MULTI_NODE") {
					response.Confirmed = nil
				}
			}
		})), mutation.Fails("history_of_publication", "CP-34")),
		"a publication at once with an unpublication is OK and not done": mutation.Wide(publishesNothing(), mutation.Fails("history_of_target", "NS-20")),
	}
}

// makesTwo makes a driver that creates two volumes of a name for two concurrent calls, and later finds either of them.
func makesTwo() mutation.Fault {
	const other = "-2"
	var (
		calls meeting[bool]
		mu    sync.Mutex
		ids   = map[string]string{} // by the name that a volume has in truth
	)
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		mu.Lock()
		isNew := ids[r.GetName()]+ids[r.GetName()+other] == ""
		mu.Unlock()
		_, came := calls.meet(r.GetName(), true)
		mu.Lock()
		defer mu.Unlock()
		isOther := ids[r.GetName()] == "" && ids[r.GetName()+other] != ""
		if isNew && came == second || isOther && !(isNew && came == first) {
			r.Name += other
		}
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			ids[r.GetName()] = response.GetVolume().GetVolumeId()
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		response, err := right.DeleteVolume(ctx, r)
		if err == nil {
			maps.DeleteFunc(ids, func(_, id string) bool { return id == r.GetVolumeId() })
		}
		return response, err
	}))
}

// deletions tracks deletions in flight, each of which also removes an object that is created under the name meanwhile.
type deletions struct {
	mu    sync.Mutex
	names map[string]string        // by id
	ends  map[string]chan struct{} // by name
}

func newDeletions() *deletions {
	return &deletions{names: map[string]string{}, ends: map[string]chan struct{}{}}
}

// begin begins the deletion of the object with the id, and returns a function that ends it.
func (d *deletions) begin(id string) (end func()) {
	d.mu.Lock()
	name := d.names[id]
	if d.ends[name] != nil || name == "" {
		d.mu.Unlock()
		return func() {}
	}
	ends := make(chan struct{})
	d.ends[name] = ends
	d.mu.Unlock()
	<-time.After(little)
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.ends, name)
		close(ends)
	}
}

// await delays a call for an existing name, and waits for the end of a deletion of it. It reports whether there was such a
// deletion.
func (d *deletions) await(name string) bool {
	const while = little / 2
	d.mu.Lock()
	known := slices.Contains(slices.Collect(maps.Values(d.names)), name)
	d.mu.Unlock()
	if known {
		<-time.After(while)
	}
	d.mu.Lock()
	ends := d.ends[name]
	d.mu.Unlock()
	if ends != nil {
		<-ends
	}
	return ends != nil
}

func (d *deletions) note(id, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.names[id] = name
}

func deletesNewVolumes() mutation.Fault {
	d := newDeletions()
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		late := d.await(r.GetName())
		response, err := right.CreateVolume(ctx, r)
		if err != nil {
			return nil, err
		}
		d.note(response.GetVolume().GetVolumeId(), r.GetName())
		if late {
			_, err = right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: response.GetVolume().GetVolumeId(), Secrets: r.GetSecrets()})
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		defer d.begin(r.GetVolumeId())()
		return right.DeleteVolume(ctx, r)
	}))
}

func deletesNewSnapshots() mutation.Fault {
	d := newDeletions()
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
		late := d.await(r.GetName())
		response, err := right.CreateSnapshot(ctx, r)
		if err != nil {
			return nil, err
		}
		d.note(response.GetSnapshot().GetSnapshotId(), r.GetName())
		if late {
			_, err = right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: response.GetSnapshot().GetSnapshotId(), Secrets: r.GetSecrets()})
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
		defer d.begin(r.GetSnapshotId())()
		return right.DeleteSnapshot(ctx, r)
	}))
}

// attachesToBoth makes a driver that checks the attachments of a volume before the other call has attached it.
func attachesToBoth() mutation.Fault {
	var calls meeting[string]
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
		_, came := calls.meetIf(r.GetVolumeId(), r.GetNodeId(), func(other string) bool { return other != r.GetNodeId() })
		response, err := right.ControllerPublishVolume(ctx, r)
		if came != alone && status.Code(err) == codes.FailedPrecondition {
			return &csi.ControllerPublishVolumeResponse{}, nil
		}
		return response, err
	})
}

// publishesNothing makes a driver that relies on its records: a publication during an unpublication records a state that
// the other call has undone.
func publishesNothing() mutation.Fault {
	var (
		calls meeting[bool] // of publications, and of others
		books sync.Map      // by the target path
	)
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		if _, found := books.Load(r.GetTargetPath()); found {
			calls.meetIf(r.GetTargetPath(), true, func(published bool) bool { return !published })
			return &csi.NodePublishVolumeResponse{}, nil
		}
		response, err := right.NodePublishVolume(ctx, r)
		if _, came := calls.meetIf(r.GetTargetPath(), true, func(published bool) bool { return !published }); err == nil && came != alone {
			books.Store(r.GetTargetPath(), true)
			_, err = right.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: r.GetVolumeId(), TargetPath: r.GetTargetPath()})
		}
		return response, err
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
		if _, came := calls.meetIf(r.GetTargetPath(), false, func(published bool) bool { return published }); came == alone {
			books.Delete(r.GetTargetPath())
		}
		return right.NodeUnpublishVolume(ctx, r)
	}))
}
