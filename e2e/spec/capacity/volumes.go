package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// remove deletes a volume, which the case depends on.
func remove(ctx context.Context, under *harness.Driver, volume *csi.Volume) {
	harness.Need(under.Controller.DeleteVolume(ctx, under.DeleteVolumeRequest(volume)))
}

// bytesOf is what a volume of the case's size has; the driver may not tell, and then it has what was asked for.
func bytesOf(under *harness.Driver, volume *csi.Volume) int64 {
	if bytes := volume.GetCapacityBytes(); bytes > 0 {
		return bytes
	}
	return under.Size()
}

// grow grows a volume to at least that many bytes.
func grow(ctx context.Context, under *harness.Driver, volume *csi.Volume, bytes int64) (*csi.ControllerExpandVolumeResponse, error) {
	return under.Controller.ControllerExpandVolume(ctx, under.ControllerExpandVolumeRequest(volume, bytes))
}

// leaveRoom fills the first segment, but for the room of about one volume of the case's size, whose bytes it returns with
// a volume that is there.
func leaveRoom(ctx context.Context, under *harness.Driver) (volume *csi.Volume, bytes int64) {
	ginkgo.GinkgoHelper()
	volume = under.NeedVolume(ctx, in(under.Volume(1), under.Z2))
	last := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))
	under.Fill(ctx, under.Z2)
	remove(ctx, under, last)
	under.Eventually(ctx, func(g gomega.Gomega) {
		bytes = available(ctx, under, under.Z2)
		g.Expect(bytes).To(gomega.BeNumerically(">=", bytesOf(under, last)), "a volume of %d bytes was deleted in a full segment (CAP-12)", bytesOf(under, last))
	})
	return volume, bytes
}
