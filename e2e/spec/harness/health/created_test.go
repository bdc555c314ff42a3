// SPDX-License-Identifier: Apache-2.0

package health

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// TestLastCreatedStaysAsItWasSent checks that a case that changes its request for another call does not change the record.
func TestLastCreatedStaysAsItWasSent(t *testing.T) {
	var h Health
	request := &csi.CreateVolumeRequest{Name: "volume", AccessibilityRequirements: &csi.TopologyRequirement{}}
	h.NoteCreated(request)
	request.AccessibilityRequirements = nil
	if h.LastCreated().GetAccessibilityRequirements() == nil {
		t.Error("accessibility_requirements: got none, want them as they were sent")
	}
}
