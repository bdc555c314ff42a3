package harness

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// CreateSnapshotRequest is the call that takes a snapshot of the volume, under a new name, with all that the profile says
// such a call has.
func (d *Driver) CreateSnapshotRequest(volume *csi.Volume) *csi.CreateSnapshotRequest {
	return &csi.CreateSnapshotRequest{
		SourceVolumeId: volume.GetVolumeId(),
		Name:           d.Name(),
		Parameters:     d.Profile().SnapshotParameters,
		Secrets:        d.Profile().Secrets.CreateSnapshot,
	}
}

// NeedSnapshot takes a snapshot that the case depends on and does not judge, and waits until it is ready to use.
func (d *Driver) NeedSnapshot(ctx context.Context, volume *csi.Volume) *csi.Snapshot {
	return d.NeedReady(ctx, d.CreateSnapshotRequest(volume))
}

// NeedReady asks for the snapshot until it is ready to use, as a CO does, which the case depends on.
func (d *Driver) NeedReady(ctx context.Context, request *csi.CreateSnapshotRequest) *csi.Snapshot {
	var snapshot *csi.Snapshot
	ready := func() bool {
		snapshot = Need(d.Controller.CreateSnapshot(ctx, request)).GetSnapshot()
		return snapshot.GetReadyToUse()
	}
	const polling = time.Second
	quietly := gomega.NewGomega(func(string, ...int) {})
	if !quietly.Eventually(ready).WithContext(ctx).WithTimeout(d.target.Timeouts.Provision).WithPolling(polling).Should(gomega.BeTrue()) {
		verdict.CouldNotTell("snapshot %s was to be ready to use within %s, and is not", snapshot.GetSnapshotId(), d.target.Timeouts.Provision)
	}
	return snapshot
}
