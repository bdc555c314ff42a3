// SPDX-License-Identifier: Apache-2.0

package growth_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/growth"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, growth.Areas(), wrong.Drivers(), mutation.Skips("grow_published_offline", suite.ByCapability))
}
