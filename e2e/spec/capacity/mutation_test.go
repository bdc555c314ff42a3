// SPDX-License-Identifier: Apache-2.0

package capacity_test

import (
	"os"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

func TestMain(m *testing.M) {
	all := mutation.Drivers(wrong.Drivers())
	all[neverSettles] = mutation.Driver{
		Fault:  all[neverChanges].Fault,
		Target: func(t *harness.Target) { t.Timeouts.Settle = time.Second },
		Focus:  "capacity_(falls|returns|counts)",
	}
	os.Exit(spectest.Main(m, capacity.Areas, all))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, wrong.Drivers())
}
