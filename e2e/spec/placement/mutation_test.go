// SPDX-License-Identifier: Apache-2.0

package placement_test

import (
	"os"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/placement"
	"github.com/csi-topo/csi-topo/e2e/spec/placement"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, placement.Areas, mutation.Drivers(wrong.Drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, wrong.Drivers())
}
