// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// unavailableWhilePublished are drivers that ask the CO to try again for as long as a volume is in use.
func unavailableWhilePublished() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"UNAVAILABLE for the deletion of a volume that is published": mutation.Wrong(
			mutation.Recoding[*deletion](codes.FailedPrecondition, codes.Unavailable),
			mutation.Fails("delete_published", "DV-05")),
	}
}
