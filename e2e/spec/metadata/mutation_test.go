// SPDX-License-Identifier: Apache-2.0

package metadata_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/metadata"
	"github.com/csi-topo/csi-topo/e2e/spec/metadata"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, metadata.Areas(), wrong.Drivers())
}
