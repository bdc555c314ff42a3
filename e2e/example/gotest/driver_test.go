// SPDX-License-Identifier: Apache-2.0

// Package gotest shows how to test a driver with `go test` in its own repository, without a cluster.
package gotest

import (
	"os"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestDriver tests the driver that listens at CSI_ENDPOINT, with the node plugins of one or more nodes in each
// zone at CSI_NODE_ENDPOINTS.
func TestDriver(t *testing.T) {
	endpoint := os.Getenv("CSI_ENDPOINT")
	if endpoint == "" {
		t.Skip("CSI_ENDPOINT is not set: start the driver and set it to where that listens, such as /csi/csi.sock")
	}
	spec.Test(t, spec.Options{
		Endpoint:      endpoint,
		NodeEndpoints: strings.Fields(os.Getenv("CSI_NODE_ENDPOINTS")),
		Profile:       os.Getenv("CSI_TOPO_PROFILE"),
		Cases:         suite.Options{ReportDir: os.Getenv("CSI_TOPO_REPORT_DIR")},
	})
}
