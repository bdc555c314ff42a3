// SPDX-License-Identifier: Apache-2.0

// Package ginkgo shows how to run the suite's cases in a vendor's own Ginkgo suite. Ginkgo's flags select among them:
// `go test ./ginkgo -ginkgo.label-filter 'req:TR-07'`.
package ginkgo

import (
	"os"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec"
)

var _ = ginkgo.Describe("the vendor's own", func() {
	ginkgo.It("runs beside the suite's", func() {
		gomega.Expect(os.Getenv("CSI_ENDPOINT")).NotTo(gomega.BeEmpty())
	})
})

func TestDriver(t *testing.T) {
	endpoint := os.Getenv("CSI_ENDPOINT")
	if endpoint == "" {
		t.Skip("CSI_ENDPOINT is not set: start the driver and set it to where that listens, such as /csi/csi.sock")
	}
	gomega.RegisterFailHandler(ginkgo.Fail)
	spec.Declare(t, spec.Options{
		Endpoint:      endpoint,
		NodeEndpoints: strings.Fields(os.Getenv("CSI_NODE_ENDPOINTS")),
		Profile:       os.Getenv("CSI_TOPO_PROFILE"),
	})
	ginkgo.RunSpecs(t, "csi.example.com")
}
