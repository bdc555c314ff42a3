// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// unavailableElsewhere are drivers that ask the CO to try again for as long as a volume is published to another node.
func unavailableElsewhere() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"UNAVAILABLE while the volume is published to another node": mutation.Wide(
			mutation.Recoding[*publishRequest](codes.FailedPrecondition, codes.Unavailable),
			mutation.Fails("attach_second_node", "CP-34")).Seen("civo-csi 37312dc"),
		"ABORTED while the volume is published to another node": mutation.Wide(
			mutation.Recoding[*publishRequest](codes.FailedPrecondition, codes.Aborted),
			mutation.Fails("attach_second_node", "CP-34")),
	}
}
