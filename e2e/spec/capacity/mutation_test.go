// SPDX-License-Identifier: Apache-2.0

package capacity_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/capacity"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, capacity.Areas(), wrong.Drivers())
}
