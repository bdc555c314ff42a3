// SPDX-License-Identifier: Apache-2.0

package identity_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/identity"
	"github.com/csi-topo/csi-topo/e2e/spec/identity"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, identity.Areas(), wrong.Drivers())
}
