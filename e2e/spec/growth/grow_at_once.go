package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Growths of one volume at the same time end as one after the other would: the size is the one that was asked for, and
// is taken once. A call may be ABORTED while another one is pending. Any other failure is a warning.
func growAtOnce(s *harness.Suite) {
	labels := verdict.Case("grow_at_once", "CE-02", "CE-13", "GEN-02", "GEN-03", "GEN-13")
	needs := controllerGrowth()
	s.Case("grows a volume once that is asked to grow several times at once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		before := under.Watch(ctx)
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.ControllerExpandVolumeRequest(volume, larger(under, volume))
		grow := func(ctx context.Context) (*csi.ControllerExpandVolumeResponse, error) {
			return under.Controller.ControllerExpandVolume(ctx, request)
		}

		harness.Graceful(harness.AtOnce(ctx, 4, grow))

		grown := mustGrow(ctx, under, request)
		expectReported(ctx, under, volume, grown.GetCapacityBytes())
		gomega.Expect(before.Taken(ctx, grown.GetCapacityBytes(), volume.GetAccessibleTopology())).To(gomega.BeEmpty(),
			"the volume has %d bytes after expansion (CE-13), taken once (CE-02)", grown.GetCapacityBytes())
	})
}
