// SPDX-License-Identifier: Apache-2.0

package secrets_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/secrets"
	"github.com/csi-topo/csi-topo/e2e/spec/secrets"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, secrets.Areas(), wrong.Drivers(), mutation.Skips(wrong.Cases()+" secrets_in_contexts secrets_of_other_calls", suite.ByProfile))
}

// TestSkipsHaveOneReason checks that a summary has one line for all of them.
func TestSkipsHaveOneReason(t *testing.T) {
	reasons := map[string]int{}
	for _, c := range spectest.Run(t, secrets.Areas(), mutation.Driver{}).Cases {
		if c.Verdict == suite.Skipped {
			reasons[c.Reason]++
		}
	}
	if len(reasons) != 1 {
		t.Errorf("cases without secrets are skipped for these reasons, want one for all of them: %v", reasons)
	}
}
