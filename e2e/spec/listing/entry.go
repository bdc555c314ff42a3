package listing

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// entryOf is what ListVolumes has of a volume that there is.
func entryOf(ctx context.Context, under *harness.Driver, volume *csi.Volume) *csi.ListVolumesResponse_Entry {
	ginkgo.GinkgoHelper()
	var found *csi.ListVolumesResponse_Entry
	under.Eventually(ctx, func(g gomega.Gomega) {
		eachPage(func(token string) string {
			page := harness.Need(list(ctx, under, 0, token))
			for _, entry := range page.GetEntries() {
				if entry.GetVolume().GetVolumeId() == volume.GetVolumeId() {
					found = entry
				}
			}
			return page.GetNextToken()
		})
		g.Expect(found).NotTo(gomega.BeNil(), "volume %s was made, and is not listed (LV-01)", volume.GetVolumeId())
	})
	return found
}

// get asks for one volume.
func get(ctx context.Context, under *harness.Driver, id string) (*csi.ControllerGetVolumeResponse, error) {
	return under.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
}

// topologyOf is where a volume is accessible from.
func topologyOf(volume *csi.Volume) model.Set {
	return harness.Segments(volume.GetAccessibleTopology())
}

// expectSameContext expects the volume_context of CreateVolume in what another call says of the volume, or a warning
// where that leaves it out.
func expectSameContext(got, created *csi.Volume, call string) {
	ginkgo.GinkgoHelper()
	if len(got.GetVolumeContext()) == 0 && len(created.GetVolumeContext()) > 0 {
		verdict.Warn("%s leaves out the volume_context of volume %s, which is %v (VOL-12)", call, created.GetVolumeId(), created.GetVolumeContext())
		return
	}
	gomega.Expect(maps.Equal(got.GetVolumeContext(), created.GetVolumeContext())).To(gomega.BeTrue(),
		"a volume has the same volume_context always (VOL-12): CreateVolume said %v, and %s says %v", created.GetVolumeContext(), call, got.GetVolumeContext())
}
