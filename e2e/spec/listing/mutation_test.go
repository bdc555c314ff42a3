// SPDX-License-Identifier: Apache-2.0

package listing_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/listing"
)

// reduced are cases that find nothing to judge where all volumes are sound.
const reduced = "volume_health_of_new_volume volume_health_list"

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, listing.Areas(), wrong.Drivers(), mutation.Passes(reduced))
}
