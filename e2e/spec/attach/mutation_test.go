// SPDX-License-Identifier: Apache-2.0

package attach_test

import (
	"os"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/attach"
	"github.com/csi-topo/csi-topo/e2e/spec/attach"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, attach.Areas, mutation.Drivers(wrong.Drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, wrong.Drivers(), mutation.Skips("attach_read_only_protects", suite.ByEnvironment))
}

// TestReasonsHaveNoPaths shows that a skip has the same reason in each run.
func TestReasonsHaveNoPaths(t *testing.T) {
	for _, c := range spectest.Run(t, spectest.Reference).Cases {
		if strings.Contains(c.Reason, "/") {
			t.Errorf("case %s is %s for a reason with a path: %s", c.ID, c.Verdict, c.Reason)
		}
	}
}
