// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation/reported"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// TestReportedDrivers checks that what was reported of real drivers is noticed. With -short it leaves them to make
// mutation, which runs them as well.
func TestReportedDrivers(t *testing.T) {
	if testing.Short() {
		t.Skip("make mutation runs them")
	}
	spectest.Expect(t, spec.Areas(), reported.Drivers())
}
