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

// attaching returns drivers whose nodes take few volumes.
func attaching() []Driver {
	const few = 3 // the maximum number of volumes on a node
	return []Driver{{Name: "few-attachments",
		Is: "takes three volumes on a node, like small machines of clouds, and returns RESOURCE_EXHAUSTED for more, while eight cases run concurrently; attaching takes a while",
		Driver: mutation.Driver{Profile: sharedDisks, Options: func(o *embedded.Options) { o.MaxVolumesPerNode = few },
			Target: func(t *harness.Target) { t.Parallel = 8 }, Fault: mutation.On(attachSlowly)}}}
}

// attachSlowly takes longer than the time for which the suite repeats a call that was answered RESOURCE_EXHAUSTED.
func attachSlowly(ctx context.Context, right mutation.Right, r *csi.ControllerPublishVolumeRequest) (*csi.ControllerPublishVolumeResponse, error) {
	const long = 120 * time.Millisecond
	response, err := right.ControllerPublishVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	return response, wait(ctx, long)
}
