// SPDX-License-Identifier: Apache-2.0

// Package cluster shows how to test a driver with `go test` on a cluster where it is installed:
// `KUBECONFIG=… CSI_TOPO_PROFILE=… CSI_TOPO_WORKLOAD_IMAGE=… go test ./cluster -timeout 2h -v`.
package cluster

import (
	"os"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestDriverOnCluster(t *testing.T) {
	kubeconfig := os.Getenv("KUBECONFIG")
	if kubeconfig == "" {
		t.Skip("KUBECONFIG is not set: install the driver on a cluster with nodes in two zones or more, and set it to the kubeconfig of that")
	}
	cluster.Test(t, cluster.Options{
		Kubeconfig:    kubeconfig,
		Profile:       os.Getenv("CSI_TOPO_PROFILE"),
		WorkloadImage: os.Getenv("CSI_TOPO_WORKLOAD_IMAGE"),
		Cases:         suite.Options{ReportDir: os.Getenv("CSI_TOPO_REPORT_DIR"), Label: os.Getenv("CSI_TOPO_LABEL")},
	})
}
