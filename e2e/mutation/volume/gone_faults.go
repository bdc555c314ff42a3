// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfTheGone are drivers that fail to undo what there is nothing left of, which clean-up asks for: it takes nothing from what
// the case found.
func wrongOfTheGone() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"deletes a volume that is published, and INTERNAL for detaching what is gone": mutation.Wrong(
			mutation.On(func(ctx context.Context, driver right, r *deletion) (*deleted, error) {
				return driver.DeleteVolume(ctx, unpublished(ctx, driver, r))
			}).And(mutation.On(func(ctx context.Context, driver right, r *csi.ControllerUnpublishVolumeRequest) (*csi.ControllerUnpublishVolumeResponse, error) {
				if _, err := driver.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: r.GetVolumeId()}); err != nil {
					return nil, status.Error(codes.Internal, "there is no such storage")
				}
				return driver.ControllerUnpublishVolume(ctx, r)
			})),
			mutation.Warns("delete_published", "DV-05")),
	}
}
