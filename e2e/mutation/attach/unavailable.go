// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// unavailableElsewhere are drivers that ask the CO to try again for as long as a volume is published to another node.
func unavailableElsewhere() map[string]mutation.Expectation {
	all := map[string]mutation.Expectation{}
	for text, code := range map[string]codes.Code{
		"UNAVAILABLE while the volume is published to another node": codes.Unavailable,
		"ABORTED while the volume is published to another node":     codes.Aborted,
	} {
		all[text] = mutation.Expectation{
			Driver: mutation.Driver{Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
				response, err := right.ControllerPublishVolume(ctx, r)
				if status.Code(err) == codes.FailedPrecondition {
					return nil, status.Error(code, "the volume is attached to another node, and cannot be attached")
				}
				return response, err
			})},
			Cases: []mutation.Case{mutation.Fails("attach_second_node", "CP-34")},
			Wide:  true,
		}
	}
	return all
}
