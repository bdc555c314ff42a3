// SPDX-License-Identifier: Apache-2.0

package metadata

import (
	"context"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/device"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// rules lists the requirements of any stream.
var rules = []string{"SV-10", "SMD-01", "SMD-02", "SMD-03", "SMD-04", "SMD-05", "SMD-07", "SMD-10"}

// contents returns the cases about the content of the ranges.
func contents() []harness.Case {
	return []harness.Case{allocated(), ofRestored(), delta(), unchanged()}
}

func allocated() harness.Case {
	return harness.Case{
		ID:           "metadata_allocated",
		Text:         "returns from GetMetadataAllocated all blocks of a snapshot that were written to, also for a snapshot of a group",
		Requirements: append([]string{"SMD-08", "SMD-09", "SMD-14", "SMD-20"}, rules...),
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			d := needDisk(ctx, driver)
			written := d.write(ctx, d.At(4)...)
			snapshot := d.snapshot(ctx)
			later := d.write(ctx, d.At(3)[1]) // which is not in the snapshot

			found := mustAnswer(ctx, driver, question{snapshot: snapshot})

			for _, w := range written {
				suite.Must("SMD-08", covered(found, w), "GetMetadataAllocated identifies all ranges that were written to\nbytes %s of volume %s were written to before snapshot %s was taken\ngot: %v", w, d.Volume.GetVolumeId(), snapshot, found)
			}
			expectOfMember(ctx, d, snapshot, written, later)
		},
	}
}

// expectOfMember takes a group snapshot, if the driver does, and fails the case unless its snapshot has metadata as well.
func expectOfMember(ctx context.Context, d *disk, base string, before, later []device.Extent) {
	if !d.driver.ClaimsPlugin(csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE) ||
		!d.driver.ClaimsGroups(csi.GroupControllerServiceCapability_RPC_CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT) {
		return
	}
	request := groups.CreateRequest(d.driver, d.Volume)
	if _, err := d.driver.Groups.CreateVolumeGroupSnapshot(ctx, request); err != nil {
		suite.Reduced(ctx, "the metadata of a snapshot of a group was not looked at: %s", describe.Status(err))
		return
	}
	member := groups.NeedReady(ctx, d.driver, request).GetSnapshots()[0].GetSnapshotId()
	for clause, k := range map[string]known{
		"SMD-08": {question{snapshot: member}, slices.Concat(before, later)}, "SMD-09": {question{base: base, snapshot: member}, later},
	} {
		if _, err := ask(ctx, d.driver, k.question); status.Code(err) == codes.FailedPrecondition || status.Code(err) == codes.InvalidArgument {
			suite.Reduced(ctx, "the driver has no such metadata for a snapshot of a group: %s", describe.Status(err))
			continue
		}
		k.expectAll(ctx, d.driver, clause, "all ranges that were written to are identified, in a snapshot of a group too")
	}
}

// ofRestored checks a volume with blocks of a snapshot, and its own blocks.
func ofRestored() harness.Case {
	return harness.Case{
		ID:           "metadata_of_restored",
		Text:         "returns from GetMetadataAllocated all blocks of a snapshot of a restored volume, with those that it was restored with",
		Requirements: append([]string{"SMD-08", "SMD-14", "SMD-20"}, rules...),
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			d := needDisk(ctx, driver)
			places := d.At(4)
			written := d.write(ctx, places[0], places[2])
			restored := d.restored(ctx, d.snapshot(ctx))
			written = append(written, restored.write(ctx, places[1], places[3])...)
			snapshot := restored.snapshot(ctx)

			found := mustAnswer(ctx, driver, question{snapshot: snapshot})

			for _, w := range written {
				suite.Must("SMD-08", covered(found, w), "GetMetadataAllocated identifies all ranges that were written to\nbytes %s of volume %s, which was restored from a snapshot of volume %s, were written to in one of them before snapshot %s was taken\ngot: %v",
					w, restored.Volume.GetVolumeId(), d.Volume.GetVolumeId(), snapshot, found)
			}
		},
	}
}

// skipUntracked skips the case if GetMetadataDelta says that changed block tracking is not enabled (SMD-18).
func skipUntracked(ctx context.Context, driver *harness.Driver, q question) {
	_, err := ask(ctx, driver, q)
	if status.Code(err) == codes.FailedPrecondition {
		suite.Skip(suite.ByEnvironment, "changed block tracking is not enabled: %s", describe.Status(err))
	}
}

func delta() harness.Case {
	return harness.Case{
		ID:           "metadata_delta",
		Text:         "returns from GetMetadataDelta all blocks that were written to between two snapshots, for the first time, again, with zeros, and where the volume has grown, whichever snapshots were requested before",
		Requirements: append([]string{"SMD-08", "SMD-09", "SMD-14"}, rules...),
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			d := needDisk(ctx, driver)
			places := d.At(4)
			first := d.write(ctx, places[0], places[1], places[2])
			base := d.snapshot(ctx)
			// A place that has data and one that has none, each with other data than before.
			written := d.write(ctx, places[1]+int64(len(text)), places[3])
			// A driver may have no block for zeros; the block has changed nevertheless.
			zeroed := d.Write(ctx, strings.Repeat("\x00", len(text)), places[2])
			target := d.snapshot(ctx)
			q := question{base: base, snapshot: target}
			skipUntracked(ctx, driver, q)

			found := mustAnswer(ctx, driver, q)

			for _, w := range slices.Concat(written, zeroed) {
				suite.Must("SMD-09", covered(found, w), "GetMetadataDelta identifies all ranges that have changed\nbytes %s of volume %s were written to after snapshot %s and before %s\ngot: %v", w, d.Volume.GetVolumeId(), base, target, found)
			}
			expectThird(ctx, d, q, first, slices.Concat(first[:2], written), slices.Concat(written, zeroed))
		},
	}
}

// expectThird takes a third snapshot, after the volume has grown if possible, and fails the case unless each of the three,
// and each pair of them, has its own metadata, regardless of earlier requests. allocated holds the extents of the question's
// target, changed the ones that have changed since its base, and first the extents of the base.
func expectThird(ctx context.Context, d *disk, q question, first, allocated, changed []device.Extent) {
	more, why := d.Grow(ctx, text)
	if why != "" {
		suite.Reduced(ctx, "the metadata of a volume that has grown was not looked at: %s", why)
		more = d.write(ctx, d.At(4)[0]+int64(len(text)))
	}
	request := snapshots.CreateRequest(d.driver, d.Volume)
	if _, err := d.driver.Controller.CreateSnapshot(ctx, request); err != nil {
		suite.Reduced(ctx, "the metadata of a third snapshot was not looked at: %s", describe.Status(err))
		return
	}
	third := snapshots.NeedReady(ctx, d.driver, request).GetSnapshotId()
	asked := []known{{question{snapshot: q.base}, first}, {question{snapshot: q.snapshot}, allocated}, {q, changed}}
	for _, k := range []known{
		{question{snapshot: third}, slices.Concat(allocated, more)}, {question{base: q.snapshot, snapshot: third}, more}, {question{base: q.base, snapshot: third}, slices.Concat(changed, more)},
	} {
		if k.base != "" {
			if _, err := ask(ctx, d.driver, k.question); status.Code(err) == codes.FailedPrecondition || status.Code(err) == codes.InvalidArgument {
				suite.Reduced(ctx, "the driver does not compare a snapshot with a base that is smaller: %s", describe.Status(err))
				continue
			}
		}
		asked = append(asked, k)
		k.from = more[len(more)-1].Begin // which may exceed the base
		asked = append(asked, k)
	}
	for _, k := range slices.Concat(asked, asked) {
		if k.base == "" {
			k.expectAll(ctx, d.driver, "SMD-08", "GetMetadataAllocated identifies all ranges that were written to, also beyond the old end of a volume that has grown, and after calls for other snapshots")
		} else {
			k.expectAll(ctx, d.driver, "SMD-09", "GetMetadataDelta identifies all ranges that have changed, also beyond the old end of a volume that has grown, and after calls for other snapshots")
		}
	}
}

func unchanged() harness.Case {
	return harness.Case{
		ID:           "metadata_delta_of_nothing",
		Text:         "should return no blocks for two snapshots between which nothing was written",
		Requirements: append([]string{"SMD-09"}, rules...),
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			d := needDisk(ctx, driver)
			d.write(ctx, d.At(2)...)
			q := question{base: d.snapshot(ctx), snapshot: d.snapshot(ctx)}
			skipUntracked(ctx, driver, q)

			found := mustAnswer(ctx, driver, q)

			suite.Should(ctx, "SMD-09", len(found) == 0, "nothing was written to volume %s between the snapshots %s and %s, and GetMetadataDelta says that this has changed, which a backup copies: %v", d.Volume.GetVolumeId(), q.base, q.snapshot, found)
		},
	}
}
