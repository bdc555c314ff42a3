// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Snapshots declares that the case takes snapshots. Only taking one shows whether there is a snapshot
// controller.
func Snapshots() []harness.Need {
	return append(Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT), served("snapshots", "VolumeSnapshots", workload.SnapshotVersion()), sidecar(Snapshotter))
}

// GroupSnapshots declares that the case takes snapshots of several volumes at once.
func GroupSnapshots() []harness.Need {
	claims := func(s *harness.Scenario) bool {
		claimed, err := s.Driver.Groups()
		s.Need(err, "preparing the case")
		return claimed
	}
	claimed := ofController("group-snapshots", claims,
		"the driver's group controller does not claim CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT")
	return All(claimed, Snapshots(), []harness.Need{served("", "VolumeGroupSnapshots", workload.GroupSnapshotVersion())})
}

// served returns a need of kinds that are not part of Kubernetes.
func served(label, kinds string, version schema.GroupVersion) harness.Need {
	return harness.Need{Label: label, By: suite.ByEnvironment, Missing: func(_ context.Context, s *harness.Scenario) string {
		served, err := Serves(s.Kube.Discovery(), version)
		s.Need(err, "preparing the case")
		return lacking(served, "needs %s, and the API server has no %s: their CustomResourceDefinitions are not installed, or older", kinds, version)
	}}
}

// Serves reports whether the API server has the version of kinds that are not part of Kubernetes.
func Serves(server discovery.ServerResourcesInterface, version schema.GroupVersion) (bool, error) {
	_, err := server.ServerResourcesForGroupVersion(version.String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for %s in the API server: %w", version, err)
	}
	return true, nil
}
