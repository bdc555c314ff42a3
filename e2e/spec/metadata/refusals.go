// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
)

// refusals returns the cases about calls that fail.
func refusals() []harness.Case {
	return []harness.Case{unknownSnapshot(), otherOffsets(), missingFields()}
}

func unknownSnapshot() harness.Case {
	return harness.Case{
		ID:           "metadata_unknown_snapshot",
		Text:         "returns NOT_FOUND for a snapshot that was deleted, also as one of two",
		Requirements: []string{"SMD-11", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			d := needDisk(ctx, driver)
			deleted := snapshots.Need(ctx, driver, d.Volume)
			snapshot := d.snapshot(ctx)
			_, _ = ask(ctx, driver, question{snapshot: deleted.GetSnapshotId()}) // which a driver may remember
			harness.NeedOK(driver.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(driver, deleted)))
			unknown := deleted.GetSnapshotId()
			for _, q := range []question{{snapshot: unknown}, {base: unknown, snapshot: snapshot}, {base: snapshot, snapshot: unknown}} {
				var err error
				driver.Settled(ctx, effect.Unknown, func() bool {
					_, err = ask(ctx, driver, q)
					return status.Code(err) == codes.NotFound
				})
				if q.base != "" && status.Code(err) == codes.FailedPrecondition {
					continue // changed block tracking is not enabled (SMD-18)
				}
				harness.ExpectRefused(ctx, "SMD-11", err, fmt.Sprintf("snapshot %s does not exist\nrequested: %s", unknown, q), codes.NotFound)
			}
		},
	}
}

func otherOffsets() harness.Case {
	return harness.Case{
		ID:           "metadata_offset_out_of_range",
		Text:         "returns OUT_OF_RANGE for a starting_offset that is negative or exceeds the volume",
		Requirements: []string{"SMD-12", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			d, questions := needQuestions(ctx, driver)
			for _, q := range questions {
				messages, err := ask(ctx, driver, q.question)
				harness.NeedOK(messages, err)
				bytes := d.Bytes()
				if len(messages) > 0 {
					bytes = messages[0].GetVolumeCapacityBytes()
				}
				for _, from := range []int64{-1, bytes + 1} {
					other := q.question
					other.from = from
					_, err := ask(ctx, driver, other)
					harness.ExpectRefused(ctx, "SMD-12", err, fmt.Sprintf("a starting_offset that is negative or exceeds the size of the volume, which has %d bytes, is OUT_OF_RANGE\nrequested: %s", bytes, other), codes.OutOfRange)
				}
			}
		},
	}
}

func missingFields() harness.Case {
	return harness.Case{
		ID:           "metadata_required_fields",
		Text:         "rejects GetMetadataAllocated and GetMetadataDelta without a snapshot",
		Requirements: []string{"SMD-13", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			snapshot := needDisk(ctx, driver).snapshot(ctx)
			_, err := ask(ctx, driver, question{})
			harness.ExpectRefused(ctx, "SMD-13", err, "GetMetadataAllocated without snapshot_id, which is REQUIRED, is INVALID_ARGUMENT", codes.InvalidArgument)
			for _, request := range []*csi.GetMetadataDeltaRequest{{BaseSnapshotId: snapshot}, {TargetSnapshotId: snapshot}} {
				request.Secrets = driver.Profile().Secrets.SnapshotMetadata
				stream, err := driver.Metadata.GetMetadataDelta(ctx, request)
				if err == nil {
					_, err = receive(stream.Recv)
				}
				if status.Code(err) == codes.FailedPrecondition {
					continue // changed block tracking is not enabled (SMD-18)
				}
				harness.ExpectRefused(ctx, "SMD-13", err, "GetMetadataDelta without base_snapshot_id or target_snapshot_id, which are REQUIRED, is INVALID_ARGUMENT", codes.InvalidArgument)
			}
		},
	}
}
