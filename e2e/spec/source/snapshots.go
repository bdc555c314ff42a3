package source

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// differences says in sentences in what two reports of one snapshot differ. One that is not ready to use may become it.
func differences(got, want *csi.Snapshot) []string {
	var found []string
	differ := func(field string, got, want any) {
		found = append(found, fmt.Sprintf("%s is %v, and was %v", field, got, want))
	}
	if got.GetSnapshotId() != want.GetSnapshotId() {
		differ("snapshot_id", got.GetSnapshotId(), want.GetSnapshotId())
	}
	if got.GetSourceVolumeId() != want.GetSourceVolumeId() {
		differ("source_volume_id", got.GetSourceVolumeId(), want.GetSourceVolumeId())
	}
	if got.GetSizeBytes() != want.GetSizeBytes() {
		differ("size_bytes", got.GetSizeBytes(), want.GetSizeBytes())
	}
	if !proto.Equal(got.GetCreationTime(), want.GetCreationTime()) {
		differ("creation_time", got.GetCreationTime().AsTime(), want.GetCreationTime().AsTime())
	}
	if now, before := harness.Segments(got.GetAccessibleTopology()), harness.Segments(want.GetAccessibleTopology()); !now.Equal(before) {
		differ("accessible_topology", now, before)
	}
	return found
}

// page is one page of ListSnapshots, which must be answered.
func page(ctx context.Context, under *harness.Driver, request *csi.ListSnapshotsRequest) *csi.ListSnapshotsResponse {
	ginkgo.GinkgoHelper()
	request.Secrets = under.Profile().Secrets.ListSnapshots
	response, err := under.Controller.ListSnapshots(ctx, request)
	gomega.Expect(err).To(harness.BeOK("a plugin that claims LIST_SNAPSHOTS lists them (LS-01)"))
	return response
}

// listed are the ids of the snapshots that the request asks for, which are few.
func listed(ctx context.Context, under *harness.Driver, request *csi.ListSnapshotsRequest) []string {
	ginkgo.GinkgoHelper()
	return ids(page(ctx, under, request))
}

func ids(page *csi.ListSnapshotsResponse) []string {
	var found []string
	for _, entry := range page.GetEntries() {
		found = append(found, entry.GetSnapshot().GetSnapshotId())
	}
	return found
}

// mustTake takes a snapshot that can be taken where it is asked for, and waits until it is ready to use.
func mustTake(ctx context.Context, under *harness.Driver, request *csi.CreateSnapshotRequest) *csi.Snapshot {
	ginkgo.GinkgoHelper()
	response, err := under.Controller.CreateSnapshot(ctx, request)
	gomega.Expect(err).To(harness.BeOK("a snapshot can be taken that is usable from accessibility_requirements (CS-05)"))
	if response.GetSnapshot().GetReadyToUse() {
		return response.GetSnapshot()
	}
	return under.NeedReady(ctx, request)
}

// expectUsableFrom takes the snapshot, which must be usable from one of the segments at least, and restores it there.
func expectUsableFrom(ctx context.Context, under *harness.Driver, request *csi.CreateSnapshotRequest, segments ...model.Segment) {
	ginkgo.GinkgoHelper()
	snapshot := mustTake(ctx, under, request)
	var usable model.Set
	for _, segment := range segments {
		if usableFrom(snapshot, segment) {
			usable = append(usable, segment)
		}
	}
	gomega.Expect(usable).NotTo(gomega.BeEmpty(), "the snapshot is usable from %s, and was to be from %s (CS-05)",
		harness.Segments(snapshot.GetAccessibleTopology()), model.Set(segments))
	for _, segment := range usable {
		expectRestorable(ctx, under, snapshot, segment)
	}
}

// usableFrom reports whether the snapshot says that it is usable from the segment; without accessible_topology it is from
// everywhere (CS-15).
func usableFrom(snapshot *csi.Snapshot, segment model.Segment) bool {
	for _, term := range snapshot.GetAccessibleTopology() {
		if segment.Matches(term.GetSegments()) {
			return true
		}
	}
	return len(snapshot.GetAccessibleTopology()) == 0
}

// expectRestorable says that a volume can be made from the snapshot in the segment, from which it is usable.
func expectRestorable(ctx context.Context, under *harness.Driver, snapshot *csi.Snapshot, segment model.Segment) {
	ginkgo.GinkgoHelper()
	asked := under.Volume(1).Within(segment)
	got := under.CreateVolumeFrom(ctx, harness.FromSnapshot(snapshot.GetSnapshotId()), asked)
	gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())),
		"a snapshot is usable from a topology if volumes made from it are accessible from there (CS-05)")
}
