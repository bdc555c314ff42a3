// SPDX-License-Identifier: Apache-2.0

package restart_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/restart"
	"github.com/csi-topo/csi-topo/e2e/spec/restart"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, restart.Areas(), wrong.Drivers())
}
