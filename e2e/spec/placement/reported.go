package placement

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// topology is one that the driver reports, and the answer that has it.
type topology struct {
	segment model.Segment
	by      string
}

// reported are the topologies of all nodes, and of a volume that is made for it.
func reported(ctx context.Context, under *harness.Driver) []topology {
	var found []topology
	for _, node := range under.Nodes {
		found = append(found, topology{node.Segment, "NodeGetInfo of " + node.String()})
	}
	volume := harness.Need(under.Controller.CreateVolume(ctx, under.CreateVolumeRequest(under.Volume(1).Within(under.Z2)))).GetVolume()
	for _, segment := range harness.Segments(volume.GetAccessibleTopology()) {
		found = append(found, topology{segment, fmt.Sprintf("CreateVolume, which made volume %s", volume.GetVolumeId())})
	}
	return found
}

// expectSameTopology fails the case when a later answer has another accessible_topology for the volume than
// CreateVolume, and warns when it has none. Where CreateVolume should have answered with one and did not, there is
// nothing to compare.
func expectSameTopology(under *harness.Driver, rpc, clause string, later, created *csi.Volume) {
	ginkgo.GinkgoHelper()
	gomega.Expect(later.GetVolumeId()).To(gomega.Equal(created.GetVolumeId()), "%s has the volume that CreateVolume made (%s)", rpc, clause)
	got, want := harness.Segments(later.GetAccessibleTopology()), harness.Segments(created.GetAccessibleTopology())
	switch {
	case len(want) == 0 && under.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS):
		verdict.Skip(verdict.ByCapability, "CreateVolume answered without accessible_topology: there is nothing that the answer of %s could be held to", rpc)
	case len(want) > 0 && len(got) == 0:
		verdict.Warn("%s has volume %s without accessible_topology, which means that it is accessible from everywhere (VOL-17); CreateVolume answered %s (%s)",
			rpc, created.GetVolumeId(), want, clause)
	default:
		gomega.Expect(got.Equal(want)).To(gomega.BeTrue(), "%s has volume %s with the accessible_topology %s, and CreateVolume answered %s (%s)",
			rpc, created.GetVolumeId(), got, want, clause)
	}
}

// texts are reasons as a failed assertion shows them.
func texts(reasons []model.Reason) []string {
	var found []string
	for _, reason := range reasons {
		found = append(found, reason.String())
	}
	return found
}
