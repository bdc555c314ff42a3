// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type (
	createRequest    = csi.CreateVolumeRequest
	createResponse   = csi.CreateVolumeResponse
	snapshotRequest  = csi.CreateSnapshotRequest
	snapshotResponse = csi.CreateSnapshotResponse
)

// copying is a driver with another CreateVolume for volumes that have a source.
func copying(create func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		if r.GetVolumeContentSource() == nil {
			return right.CreateVolume(ctx, r)
		}
		return create(ctx, right, r)
	})
}

// asking makes a driver that reads another request for a copy than it got, and answering one that describes a copy
// otherwise than it is.
func asking(change func(*createRequest)) mutation.Fault {
	return copying(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		change(r)
		return right.CreateVolume(ctx, r)
	})
}

func answering(change func(*createRequest, *csi.Volume)) mutation.Fault {
	return copying(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			change(r, response.GetVolume())
		}
		return response, err
	})
}

// whenRefused makes a driver that does something else where it should refuse a copy with the code.
func whenRefused(code codes.Code, instead func(ctx context.Context, right mutation.Right, r *createRequest, refused error) (*createResponse, error)) mutation.Fault {
	return copying(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if status.Code(err) == code {
			return instead(ctx, right, r, err)
		}
		return response, err
	})
}

// saying refuses with another code, and with the same message.
func saying(code codes.Code) func(context.Context, mutation.Right, *createRequest, error) (*createResponse, error) {
	return func(_ context.Context, _ mutation.Right, _ *createRequest, refused error) (*createResponse, error) {
		return nil, status.Error(code, status.Convert(refused).Message())
	}
}

// withoutSource makes an empty volume instead.
func withoutSource(ctx context.Context, right mutation.Right, r *createRequest, _ error) (*createResponse, error) {
	r.VolumeContentSource = nil
	return right.CreateVolume(ctx, r)
}

// snapshotting is a driver with another CreateSnapshot.
func snapshotting(create func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error)) mutation.Fault {
	return mutation.On(create)
}

// answeringSnapshot makes a driver that describes a snapshot otherwise than it is.
func answeringSnapshot(change func(*snapshotRequest, *csi.Snapshot)) mutation.Fault {
	return mutation.Answering(func(r *snapshotRequest, response *snapshotResponse) { change(r, response.GetSnapshot()) })
}

// whenNoSnapshot makes a driver that does something else where it should refuse a snapshot with the code.
func whenNoSnapshot(code codes.Code, instead func(ctx context.Context, right mutation.Right, r *snapshotRequest, refused error) (*snapshotResponse, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *snapshotRequest) (*snapshotResponse, error) {
		response, err := right.CreateSnapshot(ctx, r)
		if status.Code(err) == code {
			return instead(ctx, right, r, err)
		}
		return response, err
	})
}

func sayingOfSnapshot(code codes.Code) func(context.Context, mutation.Right, *snapshotRequest, error) (*snapshotResponse, error) {
	return func(_ context.Context, _ mutation.Right, _ *snapshotRequest, refused error) (*snapshotResponse, error) {
		return nil, status.Error(code, status.Convert(refused).Message())
	}
}

// invented returns a snapshot that does not exist.
func invented(_ context.Context, _ mutation.Right, r *snapshotRequest, _ error) (*snapshotResponse, error) {
	return &snapshotResponse{Snapshot: &csi.Snapshot{SnapshotId: "memory-01a1fde4-30d5-76bf-8bf5-a515eadaa011", SourceVolumeId: r.GetSourceVolumeId(), ReadyToUse: true}}, nil
}

// remembering makes a driver that answers a name as it did the first time, whatever is asked.
func remembering() mutation.Fault {
	var answers sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *createRequest) (*createResponse, error) {
		if earlier, found := answers.Load(r.GetName()); found {
			return proto.CloneOf(earlier.(*createResponse)), nil
		}
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			answers.Store(r.GetName(), proto.CloneOf(response))
		}
		return response, err
	})
}

const (
	regionKey = "topology.hostpath.topo.csi/region"
	zoneKey   = "topology.hostpath.topo.csi/zone"
)

func zone(name string) *csi.Topology {
	return &csi.Topology{Segments: map[string]string{regionKey: "R1", zoneKey: name}}
}

// snapshotsOf are the snapshots of the volume, as the driver that is right lists them.
func snapshotsOf(ctx context.Context, right mutation.Right, volumeID string) []*csi.ListSnapshotsResponse_Entry {
	response, err := right.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SourceVolumeId: volumeID})
	if err != nil {
		return nil
	}
	return response.GetEntries()
}
