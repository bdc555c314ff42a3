// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// TestAnExistingVolumeIsSomewhere checks that an existing volume without a topology is refused if the topology matters: a
// node that does not reach it would be blamed.
func TestAnExistingVolumeIsSomewhere(t *testing.T) {
	t.Parallel()
	driver := mutation.AttachingExisting(mutation.Driver{Preflight: true})
	running := driver.Running
	driver.Running = func(d *embedded.Driver, target *harness.Target) {
		running(d, target)
		target.Profile.ExistingVolume.AccessibleTopology = nil
	}
	_, err := driver.RunSpec(t.Context(), mutation.Cases{Areas: spec.Areas()}, 1)
	if err == nil || !strings.Contains(err.Error(), "set accessibleTopology of existingVolume") {
		t.Errorf("got %v, want an error about accessibleTopology", err)
	}
}
