// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

// unsure is a Mounter that cannot determine where a volume is.
type unsure struct{ *memory.Volumes }

var errUnsure = errors.New("the mount table cannot be read")

func (unsure) Usage(context.Context, string, string) (volume.Usage, error) {
	return volume.Usage{}, errUnsure
}

// TestNodeThatCannotLook checks that a node that cannot determine whether the first writer is there neither refuses a
// second one for good nor admits it.
func TestNodeThatCannotLook(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeSingle)))
	node.done(node.publish("a", mounted(modeSingle)))
	node.start(NodeConfig{Volumes: unsure{node.volumes}})
	wantReason(t, node.publish("b", mounted(modeSingle)), codes.Internal, errUnsure.Error())
	wantReason(t, node.publish("a", mounted(modeMulti)), codes.Internal, errUnsure.Error())
	wantReason(t, node.stage(mounted(modeSingle, "sync")), codes.Internal, errUnsure.Error())
	node.done(node.volumes.Unpublish(t.Context(), node.id, node.target("a")))
	node.done(node.unpublish("a"))
	wantReason(t, node.publish("b", mounted(modeSingle, "sync")), codes.Internal, errUnsure.Error())
	wantCode(t, node.publish("b", mounted(modeSingle)), codes.OK)
}

// failing is a Mounter whose Stage and Publish fail after they have done their
// work, or before.
type failing struct {
	*memory.Volumes
	with    error
	working bool // does its work nevertheless
}

func (f failing) Stage(ctx context.Context, id, path string, o volume.StageOptions) error {
	if f.working {
		return errors.Join(f.with, f.Volumes.Stage(ctx, id, path, o))
	}
	return f.with
}

func (f failing) Publish(ctx context.Context, id, staging, target string, o volume.PublishOptions) error {
	if f.working {
		return errors.Join(f.with, f.Volumes.Publish(ctx, id, staging, target, o))
	}
	return f.with
}

// TestNodeAfterAFailure checks the records after a failed call.
func TestNodeAfterAFailure(t *testing.T) {
	for _, test := range []struct {
		name    string
		with    error
		working bool
		kept    bool
	}{
		{name: "it is not there", with: volume.ErrRefused},
		{name: "it is there all the same", with: errors.New("interrupted"), working: true, kept: true},
		// Another program put it there, so the record of this request would be wrong.
		{name: "it is there in another way", with: volume.ErrIncompatible, working: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNode(t)
			node.start(NodeConfig{Volumes: failing{Volumes: node.volumes, with: test.with, working: test.working}})
			if err := node.stage(mounted(modeSingle)); err == nil {
				t.Error("a failure was not passed on")
			}
			if got := len(node.usages.All()); (got == 1) != test.kept || got > 1 {
				t.Errorf("after staging it remembers %v", node.usages.All())
			}
			node.restart()
			node.done(node.stage(mounted(modeSingle)))
			node.start(NodeConfig{Volumes: failing{Volumes: node.volumes, with: test.with, working: test.working}})
			if err := node.publish("a", mounted(modeSingle)); err == nil {
				t.Error("a failure was not passed on")
			}
			node.restart()
			want := codes.OK
			if test.kept {
				want = codes.FailedPrecondition // a second writer is refused even then
			}
			wantCode(t, node.publish("b", mounted(modeSingle)), want)
			node.done(node.unpublish("b"))
			node.done(node.unpublish("a"))
			node.done(node.unstage())
			node.wantNothingKept()
		})
	}
}

// impatient is a Mounter that does not answer a caller that has gone, and whose caller
// goes while it stages.
type impatient struct {
	*memory.Volumes
	leave context.CancelFunc
}

func (i impatient) Stage(ctx context.Context, _, _ string, _ volume.StageOptions) error {
	i.leave()
	return ctx.Err()
}

func (i impatient) Usage(ctx context.Context, id, path string) (volume.Usage, error) {
	if err := ctx.Err(); err != nil {
		return volume.Usage{}, err
	}
	return i.Volumes.Usage(ctx, id, path)
}

func TestNodeForgetsForACallerThatHasGone(t *testing.T) {
	node := newTestNode(t)
	ctx, leave := context.WithCancel(t.Context())
	node.start(NodeConfig{Volumes: impatient{Volumes: node.volumes, leave: leave}})
	_, err := node.NodeStageVolume(ctx, &csi.NodeStageVolumeRequest{VolumeId: node.id, StagingTargetPath: node.staging, VolumeCapability: mounted(modeSingle)})
	wantCode(t, err, codes.Canceled)
	node.wantNothingKept()
}

// TestNodeFailsAgainAndRemembers checks that the node keeps the record of a volume when a call that succeeded is repeated
// and fails.
func TestNodeFailsAgainAndRemembers(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeSingle, "noatime")))
	for _, with := range []error{volume.ErrIncompatible, volume.ErrRefused} {
		node.start(NodeConfig{Volumes: failing{Volumes: node.volumes, with: with}})
		wantCode(t, node.stage(mounted(modeSingle, "noatime")), status.Code(nodeStatus(with)))
		node.restart()
		wantCode(t, node.stage(mounted(modeSingle, "sync")), codes.AlreadyExists)
	}
}

// TestNodeThatCannotRemember checks that the node mounts nothing if it cannot write the record.
func TestNodeThatCannotRemember(t *testing.T) {
	node := newTestNode(t)
	full := errors.New("no space left on device")
	node.start(NodeConfig{Watch: func(string, bool) error { return full }})
	wantReason(t, node.stage(mounted(modeSingle)), codes.Internal, full.Error())
	if _, err := node.volumes.Usage(t.Context(), node.id, node.staging); !errors.Is(err, volume.ErrNotFound) {
		t.Errorf("it is staged nevertheless: %v", err)
	}
	node.restart()
	node.done(node.stage(mounted(modeSingle)))
	node.start(NodeConfig{Watch: func(string, bool) error { return full }})
	wantReason(t, node.unstage(), codes.Internal, full.Error())
	node.restart()
	node.done(node.unstage())
	node.wantNothingKept()
}
