// SPDX-License-Identifier: Apache-2.0

package attach_test

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/attach"
	"github.com/csi-topo/csi-topo/e2e/spec/attach"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, attach.Areas(), wrong.Drivers(), mutation.Skips("attach_read_only_protects", suite.ByEnvironment))
}

// TestReasonsHaveNoPaths checks that a skip has the same reason in each run.
func TestReasonsHaveNoPaths(t *testing.T) {
	for _, c := range spectest.Run(t, attach.Areas(), mutation.Driver{}).Cases {
		if strings.Contains(c.Reason, "/") {
			t.Errorf("case %s is %s for a reason with a path: %s", c.ID, c.Verdict, c.Reason)
		}
	}
}
