// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/discovery"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Snapshots says that the case takes snapshots. Whether there is a snapshot controller shows when one is taken.
func Snapshots() []harness.Need {
	served := harness.Need{Label: "snapshots", By: suite.ByEnvironment, Missing: func(_ context.Context, s *harness.Scenario) string {
		served, err := ServesSnapshots(s.Kube.Discovery())
		s.Need(err, "preparing the case")
		return lacking(served, "needs VolumeSnapshots, and the API server has no %s: their CustomResourceDefinitions are not installed", workload.SnapshotVersion())
	}}
	return append(Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT), served, sidecar(snapshotter))
}

// ServesSnapshots reports whether the API server has VolumeSnapshots, which are no part of Kubernetes.
func ServesSnapshots(server discovery.ServerResourcesInterface) (bool, error) {
	_, err := server.ServerResourcesForGroupVersion(workload.SnapshotVersion().String())
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for %s in the API server: %w", workload.SnapshotVersion(), err)
	}
	return true, nil
}
