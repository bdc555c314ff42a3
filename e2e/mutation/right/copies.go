// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"maps"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

func copied() []Driver {
	return []Driver{
		{Name: "copies-of-their-kind",
			Is:     "requires a copy to have the parameters of its source, or answers INVALID_ARGUMENT (line 1294)",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&sources{kinds: map[string]map[string]string{}}).fault()}},
		{Name: "copies-no-smaller",
			Is: "requires a copy to be at least as large as its source is now, or answers OUT_OF_RANGE, before it looks for room (line 1298)",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&sources{sizes: map[string]int64{}}).fault(), Target: func(t *harness.Target) {
				t.Steps = 1500 // a source that has grown, in a zone that is full, is rare
			}}},
	}
}

// sources simulates a driver that creates copies only with the kind or the size of their source. Either map is nil if the
// driver does not check it.
type sources struct {
	mu    sync.Mutex
	kinds map[string]map[string]string // the parameters of volumes and snapshots, by id
	sizes map[string]int64             // of volumes and snapshots, by id
	names map[string]string            // the ids of existing volumes, by name: they are returned even if the source is gone
}

func (s *sources) fault() mutation.Fault {
	return mutation.Checking(s.check).Over(mutation.AnsweringVolume(func(r *csi.CreateVolumeRequest, v *csi.Volume) {
		s.name(r.GetName(), v.GetVolumeId())
		s.note(v.GetVolumeId(), r.GetParameters(), v.GetCapacityBytes())
	})).And(mutation.OnOK(func(r *csi.DeleteVolumeRequest) { s.forget(r.GetVolumeId()) })).
		And(mutation.Answering(func(r *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
			id := response.GetSnapshot().GetSnapshotId()
			kind := s.kindOf(id) // of an existing snapshot, whose source may be gone
			if kind == nil {
				kind = s.kindOf(r.GetSourceVolumeId())
			}
			s.note(id, kind, response.GetSnapshot().GetSizeBytes())
		})).
		And(mutation.Answering(func(r *csi.ControllerExpandVolumeRequest, response *csi.ControllerExpandVolumeResponse) {
			s.note(r.GetVolumeId(), s.kindOf(r.GetVolumeId()), response.GetCapacityBytes())
		}))
}

func (s *sources) check(r *csi.CreateVolumeRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, exists := s.names[r.GetName()]; exists {
		return nil
	}
	id := r.GetVolumeContentSource().GetVolume().GetVolumeId() + r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()
	if kind, known := s.kinds[id]; known && !maps.Equal(kind, r.GetParameters()) {
		return status.Errorf(codes.InvalidArgument, "%s was created with the parameters %v, and a copy of it cannot be created with %v", id, kind, r.GetParameters())
	}
	if size, known := s.sizes[id]; known && r.GetCapacityRange().GetRequiredBytes() < size {
		return status.Errorf(codes.OutOfRange, "%s has %d bytes, and a copy of it cannot have %d", id, size, r.GetCapacityRange().GetRequiredBytes())
	}
	return nil
}

func (s *sources) name(name, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = map[string]string{}
	}
	s.names[name] = id
}

func (s *sources) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.names, func(_, of string) bool { return of == id })
	delete(s.sizes, id)
	delete(s.kinds, id)
}

func (s *sources) kindOf(id string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kinds[id]
}

func (s *sources) note(id string, kind map[string]string, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds != nil {
		s.kinds[id] = kind
	}
	if s.sizes != nil {
		s.sizes[id] = bytes
	}
}

// keeping returns drivers that keep the sources of copies.
func keeping() []Driver {
	return []Driver{{Name: "sources-stay",
		Is:     "deletes no snapshot while volumes restored from it exist, and no volume while clones or snapshots of it exist, like ZFS",
		Driver: mutation.Driver{Fault: (&origins{of: map[string]string{}}).fault()}}}
}

// origins simulates a driver that refuses to delete the source of another volume or snapshot.
type origins struct {
	mu sync.Mutex
	of map[string]string // by the id of a volume or a snapshot, the id of its source
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

// deletedBy returns the ids of the objects that a call deletes.
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
