package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a plugin says is no larger than what a CO has to be able to take. A capability that nobody has is asked for as well:
// why the plugin does not have it is a text, too.
func limitsOfAnswers(s *harness.Suite) {
	labels := verdict.Case("limits_of_answers", "GEN-04")
	s.Case("answers with nothing that is larger than it may be", labels, claiming(), func(ctx context.Context, under *harness.Driver) {
		within(harness.Need(under.Identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{})))
		for _, node := range under.Nodes {
			within(harness.Need(node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})))
		}
		response := harness.Need(under.Controller.CreateVolume(ctx, under.CreateVolumeRequest(under.Volume(1).Within(under.Zones(1)...))))
		within(response)
		volume := response.GetVolume()
		unheardOf := under.Mount()
		unheardOf.AccessMode.Mode = 1000
		within(harness.Need(under.Controller.ValidateVolumeCapabilities(ctx, &csi.ValidateVolumeCapabilitiesRequest{
			VolumeId: volume.GetVolumeId(), VolumeContext: volume.GetVolumeContext(), VolumeCapabilities: []*csi.VolumeCapability{unheardOf},
			Secrets: under.Profile().Secrets.ValidateVolume,
		})))
		if under.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES) {
			within(harness.Need(under.Controller.ListVolumes(ctx, &csi.ListVolumesRequest{MaxEntries: 1})))
		}
		if under.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
			within(harness.Need(under.Controller.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{
				Name: under.Name(), SourceVolumeId: volume.GetVolumeId(), Parameters: under.Profile().SnapshotParameters, Secrets: under.Profile().Secrets.CreateSnapshot,
			})))
		}
		reaching, _ := under.Reaching(volume.GetAccessibleTopology())
		if len(reaching) > 0 && under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
			within(harness.Need(under.Controller.ControllerPublishVolume(ctx, under.ControllerPublishVolumeRequest(volume, reaching[0]))))
		}
	})
}

// within expects no field of an answer to be larger than it may be.
func within(answer proto.Message) {
	ginkgo.GinkgoHelper()
	gomega.Expect(oversized(answer)).To(gomega.BeEmpty(), "fields of %s are larger than they may be (GEN-04)", answer.ProtoReflect().Descriptor().Name())
}
