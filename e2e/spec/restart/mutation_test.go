// SPDX-License-Identifier: Apache-2.0

package restart_test

import (
	"os"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/restart"
	"github.com/csi-topo/csi-topo/e2e/spec/restart"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, restart.Areas, mutation.Drivers(wrong.Drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, wrong.Drivers())
}
