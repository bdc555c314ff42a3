// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// WhileNoRoomChanges calls f while no other case makes a call that takes room or returns it. It waits for such calls that
// are in flight, and then until the driver has shown their effects. After f has returned true once, which says that it
// has found the driver wrong, it no longer waits for effects. It does not call f if ctx ends first.
func (d *Driver) WhileNoRoomChanges(ctx context.Context, f func() (wrong bool)) {
	release, err := d.health.RoomCalls.Exclude(ctx)
	if err != nil {
		return
	}
	defer release()
	d.undisturbed.Store(true)
	defer d.undisturbed.Store(false)
	if !d.health.Misplaces.Load() && attempt.Pause(ctx, d.Target.Timeouts.Settle) != nil {
		return
	}
	if f() {
		d.health.Misplaces.Store(true)
	}
}

// enter waits until the call may take or return room, and returns a function for its end.
func (c connection) enter(ctx context.Context, method string, request any) (leave func(), err error) {
	if !changesRoom(request) || c.driver.undisturbed.Load() {
		return func() {}, nil
	}
	leave, err = c.driver.health.RoomCalls.Enter(ctx)
	if err != nil {
		return nil, attempt.Interrupted(method, status.FromContextError(err).Err())
	}
	return leave, nil
}

// changesRoom reports whether a call with the request may take room or return it.
func changesRoom(request any) bool {
	switch request.(type) {
	case *csi.DeleteVolumeRequest, *csi.DeleteSnapshotRequest, *csi.DeleteVolumeGroupSnapshotRequest:
		return true
	case *csi.ControllerPublishVolumeRequest: // a node may be full, but attaching takes no room in a segment
		return false
	default:
		return needsRoom(request)
	}
}
