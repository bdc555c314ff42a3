// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// attaching are drivers whose nodes take few volumes.
func attaching() []Driver {
	const few = 3 // volumes that a node takes
	return []Driver{{
		Name: "few-attachments",
		Is:   "takes three volumes on a node, as small machines of clouds do, and returns RESOURCE_EXHAUSTED for more, to eight cases at once; attaching takes a while",
		Driver: mutation.Driver{
			Profile: sharedDisks,
			Options: func(o *embedded.Options) { o.MaxVolumesPerNode = few },
			Target:  func(t *harness.Target) { t.Parallel = 8 },
			Fault:   mutation.On(attachSlowly),
		},
	}}
}

// attachSlowly takes longer than a call that was answered RESOURCE_EXHAUSTED is repeated.
func attachSlowly(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	const long = 120 * time.Millisecond
	response, err := right.ControllerPublishVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	return response, wait(ctx, long)
}
