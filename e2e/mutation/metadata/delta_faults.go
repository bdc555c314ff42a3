// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func endingWithBase() mutation.Fault {
	var sizes sync.Map // of snapshots
	return mutation.Answering(func(_ *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		sizes.Store(response.GetSnapshot().GetSnapshotId(), response.GetSnapshot().GetSizeBytes())
	}).And(mutation.Streaming(func(r *deltaRequest, sent []*deltaResponse, err error) ([]*deltaResponse, error) {
		if end, known := sizes.Load(r.GetBaseSnapshotId()); known && r.GetStartingOffset() > end.(int64) {
			return nil, status.Errorf(codes.OutOfRange, "starting_offset exceeds %d", end)
		}
		return sent, err
	}))
}

func leavingOutZeros() mutation.Expectation {
	var snapshots string // the directory that has them
	fault := sendingDelta(func(r *deltaRequest, sent []*allocatedResponse) []*allocatedResponse {
		data, _ := os.ReadFile(filepath.Join(snapshots, r.GetTargetSnapshotId(), "device"))
		for _, m := range sent {
			m.BlockMetadata = slices.DeleteFunc(m.GetBlockMetadata(), func(b *csi.BlockMetadata) bool {
				end := min(b.GetByteOffset()+b.GetSizeBytes(), int64(len(data)))
				return b.GetByteOffset() < end && len(bytes.Trim(data[b.GetByteOffset():end], "\x00")) == 0
			})
		}
		return sent
	})
	leaving := mutation.Wrong(fault, mutation.Fails(delta, "SMD-09"))
	leaving.Options = func(o *embedded.Options) { snapshots = filepath.Join(o.Dir, "data", "snapshots") }
	return leaving
}

// withoutMembers makes a driver that does not find the snapshots of groups.
func withoutMembers() mutation.Fault {
	var members sync.Map
	unless := func(err error, ids ...string) error {
		if slices.ContainsFunc(ids, func(id string) bool { _, found := members.Load(id); return found }) {
			return status.Error(codes.NotFound, "there is no such snapshot")
		}
		return err
	}
	return mutation.Answering(func(_ *csi.CreateVolumeGroupSnapshotRequest, response *csi.CreateVolumeGroupSnapshotResponse) {
		for _, member := range response.GetGroupSnapshot().GetSnapshots() {
			members.Store(member.GetSnapshotId(), true)
		}
	}).And(mutation.Streaming(func(r *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
		return sent, unless(err, r.GetSnapshotId())
	})).And(mutation.Streaming(func(r *deltaRequest, sent []*deltaResponse, err error) ([]*deltaResponse, error) {
		return sent, unless(err, r.GetBaseSnapshotId(), r.GetTargetSnapshotId())
	}))
}

// comparingOnce makes a driver that keeps the changes of a snapshot since the first base that it was compared with.
func comparingOnce() mutation.Fault {
	var kept sync.Map
	return sendingDelta(func(r *deltaRequest, sent []*allocatedResponse) []*allocatedResponse {
		if len(sent) == 0 || r.GetStartingOffset() > 0 || r.GetMaxResults() > 0 {
			return sent
		}
		first, _ := kept.LoadOrStore(r.GetTargetSnapshotId(), sent)
		return first.([]*allocatedResponse)
	})
}

func allocatingOnce() mutation.Fault {
	var volumes, kept sync.Map // the volume of a snapshot, and its kept changes
	return mutation.Answering(func(_ *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		volumes.Store(response.GetSnapshot().GetSnapshotId(), response.GetSnapshot().GetSourceVolumeId())
	}).And(mutation.Streaming(func(r *allocatedRequest, sent []*allocatedResponse, err error) ([]*allocatedResponse, error) {
		volume, known := volumes.Load(r.GetSnapshotId())
		if !known || err != nil || r.GetStartingOffset() > 0 || r.GetMaxResults() > 0 {
			return sent, err
		}
		first, _ := kept.LoadOrStore(volume, sent)
		return first.([]*allocatedResponse), nil
	}))
}
