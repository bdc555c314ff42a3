// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// unavailableWhilePublished are drivers that ask the CO to try again for as long as a volume is in use.
func unavailableWhilePublished() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"UNAVAILABLE for the deletion of a volume that is published": wrong(
			deleting(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				response, err := driver.DeleteVolume(ctx, r)
				if status.Code(err) == codes.FailedPrecondition {
					return nil, status.Error(codes.Unavailable, "the volume is busy")
				}
				return response, err
			}),
			mutation.Fails("delete_published", "DV-05")),
	}
}
