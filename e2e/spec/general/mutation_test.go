// SPDX-License-Identifier: Apache-2.0

package general_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/general"
	"github.com/csi-topo/csi-topo/e2e/spec/general"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, general.Areas(), wrong.Drivers())
}
