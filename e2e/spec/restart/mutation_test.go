// SPDX-License-Identifier: Apache-2.0

package restart_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/restart"
	"github.com/csi-topo/csi-topo/e2e/spec/restart"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, restart.Areas(), wrong.Drivers(), mutation.Skips("restart_without_mounts", suite.ByEnvironment))
}
