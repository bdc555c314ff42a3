// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// tuplesPerMessage is the default and the maximum number of ranges in a message: a gRPC
// message has 4 MiB.
const tuplesPerMessage = 1000

// SnapshotMetadata is the CSI SnapshotMetadata service (alpha), for the snapshots of a
// Controller. It reads snapshots, which never change, and needs no locks.
type SnapshotMetadata struct {
	csi.UnimplementedSnapshotMetadataServer
	core *controller
}

// NewSnapshotMetadata returns the SnapshotMetadata service for a controller.
func NewSnapshotMetadata(controller *Controller) *SnapshotMetadata {
	return &SnapshotMetadata{core: controller.core}
}

// GetMetadataAllocated sends the ranges of a snapshot that were written to. It returns NOT_FOUND if the snapshot does not
// exist, and OUT_OF_RANGE for a starting_offset that is not in it.
func (s *SnapshotMetadata) GetMetadataAllocated(r *csi.GetMetadataAllocatedRequest, stream csi.SnapshotMetadata_GetMetadataAllocatedServer) error {
	if err := checkID("snapshot_id", r.GetSnapshotId()); err != nil {
		return err
	}
	snapshot, err := s.findBlocks(r.GetSnapshotId())
	if err != nil {
		return err
	}
	return s.send(stream.Context(), ranges{of: snapshot, from: r.GetStartingOffset(), most: r.GetMaxResults()}, func(blocks []*csi.BlockMetadata) error {
		return stream.Send(&csi.GetMetadataAllocatedResponse{
			BlockMetadataType: csi.BlockMetadataType_VARIABLE_LENGTH, VolumeCapacityBytes: snapshot.Bytes, BlockMetadata: blocks,
		})
	})
}

// GetMetadataDelta sends the ranges where a snapshot differs from an earlier one of the same volume. It returns
// INVALID_ARGUMENT for any other pair.
func (s *SnapshotMetadata) GetMetadataDelta(r *csi.GetMetadataDeltaRequest, stream csi.SnapshotMetadata_GetMetadataDeltaServer) error {
	for field, id := range map[string]string{"base_snapshot_id": r.GetBaseSnapshotId(), "target_snapshot_id": r.GetTargetSnapshotId()} {
		if err := checkID(field, id); err != nil {
			return err
		}
	}
	base, err := s.findBlocks(r.GetBaseSnapshotId())
	if err != nil {
		return err
	}
	target, err := s.findBlocks(r.GetTargetSnapshotId())
	if err != nil {
		return err
	}
	if base.VolumeID != target.VolumeID || target.Taken.Before(base.Taken) {
		return status.Errorf(codes.InvalidArgument, "target_snapshot_id must be a later snapshot of the volume of base_snapshot_id: %q is of %q at %s, and %q of %q at %s",
			target.ID, target.VolumeID, target.Taken, base.ID, base.VolumeID, base.Taken)
	}
	return s.send(stream.Context(), ranges{of: target, base: base.ID, from: r.GetStartingOffset(), most: r.GetMaxResults()}, func(blocks []*csi.BlockMetadata) error {
		return stream.Send(&csi.GetMetadataDeltaResponse{
			BlockMetadataType: csi.BlockMetadataType_VARIABLE_LENGTH, VolumeCapacityBytes: target.Bytes, BlockMetadata: blocks,
		})
	})
}

// findBlocks returns the snapshot with the id. It returns INVALID_ARGUMENT if its kind cannot be a raw block device.
func (s *SnapshotMetadata) findBlocks(id string) (record.Snapshot, error) {
	snapshot, err := s.core.findUsableSnapshot(id)
	if err == nil && !kindOf(id).Block() {
		return snapshot, status.Errorf(codes.InvalidArgument, "snapshot %q is of kind %q, which has no blocks", id, kindOf(id))
	}
	return snapshot, err
}

// ranges is a request for ranges of a snapshot.
type ranges struct {
	of   record.Snapshot
	base string
	from int64
	most int32
}

// send sends the ranges, at most the requested number in a message, and at least one
// message, which has the size of the volume.
func (s *SnapshotMetadata) send(ctx context.Context, asked ranges, message func([]*csi.BlockMetadata) error) error {
	if asked.most < 0 {
		return status.Errorf(codes.InvalidArgument, "max_results must not be negative, got %d", asked.most)
	}
	if asked.from < 0 || asked.from > asked.of.Bytes {
		return status.Errorf(codes.OutOfRange, "starting_offset must be from 0 to %d, the size of the volume, got %d", asked.of.Bytes, asked.from)
	}
	most := tuplesPerMessage
	if asked.most > 0 {
		most = min(most, int(asked.most))
	}
	var blocks []*csi.BlockMetadata
	sent := false
	err := s.core.volumes.Ranges(ctx, asked.of.ID, asked.base, asked.from, func(r volume.Range) error {
		if len(blocks) == most {
			if err := message(blocks); err != nil {
				return err
			}
			blocks, sent = nil, true
		}
		blocks = append(blocks, &csi.BlockMetadata{ByteOffset: r.Offset, SizeBytes: r.Bytes})
		return nil
	})
	if err != nil {
		return failure(err)
	}
	if len(blocks) > 0 || !sent {
		return message(blocks)
	}
	return nil
}
