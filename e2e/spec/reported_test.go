// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation/reported"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// TestReportedDrivers checks that the cases find faults that were reported of real drivers.
func TestReportedDrivers(t *testing.T) {
	t.Parallel()
	spectest.Expect(t, spec.Areas(), reported.Drivers())
}
