// SPDX-License-Identifier: Apache-2.0

package together_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/together"
	"github.com/csi-topo/csi-topo/e2e/spec/together"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, together.Areas(), wrong.Drivers())
}
