// SPDX-License-Identifier: Apache-2.0

package volume_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/volume"
	"github.com/csi-topo/csi-topo/e2e/spec/volume"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, volume.Areas(), wrong.Drivers(), mutation.Skips("modify_absent_keys", suite.ByProfile))
}
