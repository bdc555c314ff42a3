// SPDX-License-Identifier: Apache-2.0

package growth_test

import (
	"os"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/growth"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, growth.Areas, mutation.Drivers(wrong.Drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, wrong.Drivers(), mutation.Skips("grow_published_offline", suite.ByCapability))
}
