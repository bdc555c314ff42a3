// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

func TestADriverThatNobodyCanAskClaimsNothing(t *testing.T) {
	driver, err := Connect(t.Context(), &Target{}, nil)
	if err != nil || driver.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) {
		t.Errorf("got %+v, %v", driver, err)
	}
}
