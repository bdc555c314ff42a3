// SPDX-License-Identifier: Apache-2.0

package node

import (
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// goneFaults are drivers that fail to undo what there is nothing left of, which clean-up asks for: it takes nothing from what the
// case found.
func goneFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"publishes what does not exist, and INTERNAL for unpublishing it": mutation.Wrong(
			mutation.Recoding[*publishRequest](codes.NotFound, codes.OK).And(mutation.Recoding[*unpublishRequest](codes.NotFound, codes.Internal)),
			mutation.Warns("publish_unknown_volume", "NS-24"),
			mutation.Fails("unpublish_unknown_volume", "NS-28")),
	}
}
