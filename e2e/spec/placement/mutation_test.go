// SPDX-License-Identifier: Apache-2.0

package placement_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/placement"
	"github.com/csi-topo/csi-topo/e2e/spec/placement"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, placement.Areas(), wrong.Drivers())
}
