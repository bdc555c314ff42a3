// SPDX-License-Identifier: Apache-2.0

package node_test

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/node"
	"github.com/csi-topo/csi-topo/e2e/spec/node"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, node.Areas(), wrong.Drivers(), mutation.Skips("publish_read_only_protects", suite.ByEnvironment), mutation.Skips("publish_mount_group", suite.ByCapability))
}

// TestReasonsHaveNoPaths checks that a skip has the same reason in each run.
func TestReasonsHaveNoPaths(t *testing.T) {
	for _, c := range spectest.Run(t, node.Areas(), mutation.Driver{}).Cases {
		if strings.Contains(c.Reason, "/") {
			t.Errorf("case %s is %s for a reason with a path: %s", c.ID, c.Verdict, c.Reason)
		}
	}
}
