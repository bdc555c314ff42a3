// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// losingMounts returns drivers whose nodes lose their mounts while they are restarted.
func losingMounts() map[string]mutation.Expectation {
	mounts := func(t *harness.Target) {
		mutation.Mounting(false)(t)
		t.Timeouts.Restart = restart
	}
	of := func(fault mutation.Fault, cases ...mutation.Case) mutation.Expectation {
		return wrong(mutation.Driver{Fault: fault, Target: mounts}, cases...)
	}
	const id = "restart_without_mounts"
	return map[string]mutation.Expectation{
		"mounts what a restart has left unmounted": of(mutation.Fault{}, mutation.Passes(id)),
		"believes that what it has published is mounted": of(believing(func() (*csi.NodePublishVolumeResponse, error) {
			return &csi.NodePublishVolumeResponse{}, nil
		}), mutation.Warns(id, "NS-13")),
		"refuses to publish what it believes to be mounted": of(believing(func() (*csi.NodePublishVolumeResponse, error) {
			return nil, status.Error(codes.Internal, "not mounted")
		}), mutation.Warns(id, "NS-13")),
	}
}

// believing makes a driver that does not check the mounts at a path where it has published a volume, and returns the result
// of again.
func believing(again func() (*csi.NodePublishVolumeResponse, error)) mutation.Fault {
	var mu sync.Mutex
	published := map[string]bool{}
	set := func(path string, is bool) (was bool) {
		mu.Lock()
		defer mu.Unlock()
		was = published[path]
		published[path] = is
		return was
	}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
		if set(r.GetTargetPath(), true) {
			return again()
		}
		return right.NodePublishVolume(ctx, r)
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
		set(r.GetTargetPath(), false)
		return right.NodeUnpublishVolume(ctx, r)
	}))
}
