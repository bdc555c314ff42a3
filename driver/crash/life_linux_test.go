// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	// settleTimeout limits how long the kernel takes to free an unused loop device, and
	// settleInterval is the interval at which the test checks.
	settleTimeout  = 3 * time.Second
	settleInterval = 20 * time.Millisecond
)

// life is the life of one driver and its directory, over one or more processes.
type life struct {
	*driver
	t  *testing.T
	at layout
	// names maps ids to the names that a scenario uses for volumes and snapshots.
	names map[string]string
}

// request is one RPC, with its parameters.
type request func(context.Context, *life) (proto.Message, error)

func newLife(t *testing.T) *life {
	t.Helper()
	l := &life{t: t, at: newLayout(t), names: map[string]string{}}
	l.driver = start(t, l.at)
	return l
}

// restart kills the process, if it still runs, and starts the next.
func (l *life) restart() {
	l.t.Helper()
	l.driver.kill()
	l.driver = start(l.t, l.at)
}

// send makes the call with the fault.
func (l *life) send(r request, f fault) (proto.Message, error) {
	l.next = f
	return r(l.t.Context(), l)
}

// id returns the id of the volume or snapshot to which a scenario gave that name.
func (l *life) id(name string) string {
	for id, given := range l.names {
		if given == name {
			return id
		}
	}
	l.t.Fatalf("the scenario has nothing called %q", name)
	return ""
}

// state returns the driver's state as lines that are the same in every life.
func (l *life) state() []string {
	l.t.Helper()
	return renamed(observe(l.t.Context(), l.t, l.driver).lines(), l.names)
}

// wantState fails the test unless the state is, or soon becomes, one of the wanted
// states, and is in balance.
func (l *life) wantState(when string, want ...[]string) {
	l.t.Helper()
	var found state
	var is []string
	same := func(want []string) bool { return slices.Equal(want, is) }
	err := wait.PollUntilContextTimeout(l.t.Context(), settleInterval, settleTimeout, true, func(ctx context.Context) (bool, error) {
		found = observe(context.WithoutCancel(ctx), l.t, l.driver) // a slow answer is not a wrong one
		is = renamed(found.lines(), l.names)
		return slices.ContainsFunc(want, same), nil
	})
	if err != nil {
		for _, state := range want {
			l.t.Errorf("%s, the state is none of the %d it may be; this one differs by (-want +found):\n%s", when, len(want), cmp.Diff(state, is))
		}
	}
	for _, wrong := range found.imbalances() {
		l.t.Errorf("%s, %s", when, wrong)
	}
}

// tearDown removes everything by calls, as a CO would.
func (l *life) tearDown() {
	l.t.Helper()
	ctx := l.t.Context()
	found := observe(ctx, l.t, l.driver)
	used := len(found.mounts)+len(found.usages) > 0
	for _, v := range found.volumes {
		id := v.GetVolume().GetVolumeId()
		if used {
			l.takeFromNode(id)
		}
		_, err := l.controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: id})
		must(l.t, err)
	}
	for _, group := range found.groups {
		_, err := l.groups.DeleteVolumeGroupSnapshot(ctx, deletionOf(group))
		must(l.t, err)
	}
	for _, snapshot := range found.snapshots {
		if snapshot.GetGroupSnapshotId() != "" {
			continue
		}
		_, err := l.controller.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: snapshot.GetSnapshotId()})
		must(l.t, err)
	}
	for _, v := range found.volumes {
		_, err := l.controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: v.GetVolume().GetVolumeId()})
		must(l.t, err)
	}
}

func (l *life) takeFromNode(id string) {
	l.t.Helper()
	_, err := l.node.NodeUnpublishVolume(l.t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: id, TargetPath: l.at.target()})
	must(l.t, err)
	_, err = l.node.NodeUnstageVolume(l.t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: id, StagingTargetPath: l.at.staging()})
	must(l.t, err)
}
