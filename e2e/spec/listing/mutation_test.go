// SPDX-License-Identifier: Apache-2.0

package listing_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/listing"
)

// reduced lists cases that find nothing to judge if all volumes are healthy.
const reduced = "volume_health_of_new_volume volume_health_list"

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, listing.Areas(), wrong.Drivers(), mutation.Passes(reduced))
}
