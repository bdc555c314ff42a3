// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/source"
	"github.com/csi-topo/csi-topo/e2e/spec/source"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, source.Areas(), wrong.Drivers(), mutation.Skips("source_unsupported", suite.ByCapability))
}
