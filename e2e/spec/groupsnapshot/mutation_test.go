// SPDX-License-Identifier: Apache-2.0

package groupsnapshot_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/groupsnapshot"
	"github.com/csi-topo/csi-topo/e2e/spec/groupsnapshot"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, groupsnapshot.Areas(), wrong.Drivers(), mutation.Skips("group_snapshot_write_order", suite.ByCapability))
}
