// SPDX-License-Identifier: Apache-2.0

package service

import (
	"os"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// TestNodePublishVolumeTwice checks the spec's table for a second NodePublishVolume, for plugins with
// SINGLE_NODE_MULTI_WRITER (NS-14).
func TestNodePublishVolumeTwice(t *testing.T) {
	for _, test := range []struct {
		name          string
		first, second *csi.VolumeCapability
		readOnly      bool // of the second
		elsewhere     bool // the second at another target path: T1 != T2
		want          codes.Code
	}{
		{name: "single writer T1=T2 P1=P2", first: mounted(modeSingle), second: mounted(modeSingle), want: codes.OK},
		{name: "single writer T1=T2 P1!=P2", first: mounted(modeSingle), second: mounted(modeSingle), readOnly: true, want: codes.AlreadyExists},
		{name: "single writer T1!=T2 P1=P2", first: mounted(modeSingle), second: mounted(modeSingle), elsewhere: true, want: codes.FailedPrecondition},
		{name: "single writer T1!=T2 P1!=P2", first: mounted(modeSingle), second: mounted(modeSingle), readOnly: true, elsewhere: true, want: codes.FailedPrecondition},
		{name: "multi writer T1=T2 P1=P2", first: mounted(modeMulti), second: mounted(modeMulti), want: codes.OK},
		{name: "multi writer T1=T2 P1!=P2", first: mounted(modeMulti), second: mounted(modeMulti), readOnly: true, want: codes.AlreadyExists},
		{name: "multi writer T1!=T2 P1=P2", first: mounted(modeMulti), second: mounted(modeMulti), elsewhere: true, want: codes.OK},
		{name: "multi writer T1!=T2 P1!=P2", first: mounted(modeMulti), second: mounted(modeMulti), readOnly: true, elsewhere: true, want: codes.OK},
		{name: "writer T1=T2 P1=P2", first: mounted(modeWriter), second: mounted(modeWriter), want: codes.OK},
		{name: "writer T1=T2 another mode", first: mounted(modeWriter), second: mounted(modeMulti), want: codes.AlreadyExists},
		{name: "writer T1!=T2 P1=P2", first: mounted(modeWriter), second: mounted(modeWriter), elsewhere: true, want: codes.FailedPrecondition},
		{name: "reader T1!=T2 P1=P2", first: mounted(modeReader), second: mounted(modeReader), elsewhere: true, want: codes.FailedPrecondition},
		{name: "readers on nodes T1=T2 P1=P2", first: mounted(modeReaders), second: mounted(modeReaders), want: codes.OK},
		{name: "readers on nodes T1!=T2 P1=P2", first: mounted(modeReaders), second: mounted(modeReaders), elsewhere: true, want: codes.OK},
		{name: "one writer on nodes T1=T2 P1!=P2", first: mounted(modeOneWriter), second: mounted(modeOneWriter), readOnly: true, want: codes.AlreadyExists},
		{name: "one writer on nodes T1!=T2 P1=P2", first: mounted(modeOneWriter), second: mounted(modeOneWriter), elsewhere: true, want: codes.OK},
		{name: "writers on nodes T1=T2 P1!=P2", first: mounted(modeManyWriters), second: mounted(modeManyWriters), readOnly: true, want: codes.AlreadyExists},
		{name: "writers on nodes T1!=T2 P1=P2", first: mounted(modeManyWriters), second: mounted(modeManyWriters), elsewhere: true, want: codes.OK},
		{name: "writers on nodes T1!=T2 P1!=P2", first: mounted(modeManyWriters), second: mounted(modeManyWriters), readOnly: true, elsewhere: true, want: codes.OK},
		{name: "multi writer, then a single writer elsewhere", first: mounted(modeMulti), second: mounted(modeSingle), elsewhere: true, want: codes.FailedPrecondition},
		{name: "writers on nodes, then a single writer elsewhere", first: mounted(modeManyWriters), second: mounted(modeSingle), elsewhere: true, want: codes.FailedPrecondition},
		{name: "single writer, then writers on nodes elsewhere", first: mounted(modeSingle), second: mounted(modeManyWriters), elsewhere: true, want: codes.FailedPrecondition},
		{name: "raw single writer T1=T2 P1=P2", first: raw(modeSingle), second: raw(modeSingle), want: codes.OK},
		{name: "raw single writer T1!=T2 P1=P2", first: raw(modeSingle), second: raw(modeSingle), elsewhere: true, want: codes.FailedPrecondition},
		{name: "raw multi writer T1!=T2 P1=P2", first: raw(modeMulti), second: raw(modeMulti), elsewhere: true, want: codes.OK},
		{name: "raw multi writer T1=T2 P1!=P2", first: raw(modeMulti), second: raw(modeMulti), readOnly: true, want: codes.AlreadyExists},
	} {
		for _, restarted := range []bool{false, true} {
			name := test.name
			if restarted {
				name += ", with a restart in between"
			}
			t.Run(name, func(t *testing.T) {
				node := newTestNode(t)
				node.done(node.stage(test.first))
				node.done(node.publish("first", test.first))
				second := node.publication("first", test.second)
				if test.elsewhere {
					second.TargetPath = node.target("second")
				}
				second.Readonly = test.readOnly
				if restarted {
					node.restart()
				}
				_, err := node.NodePublishVolume(t.Context(), second)
				wantCode(t, err, test.want)

				node.done(node.unpublish("first"))
				_, err = node.NodePublishVolume(t.Context(), second)
				wantCode(t, err, codes.OK)
			})
		}
	}
}

// TestNodePublishesAsStaged checks that a volume is not published differently than it was staged, which would mean to
// ignore the request.
func TestNodePublishesAsStaged(t *testing.T) {
	for _, test := range []struct {
		name              string
		staged, published *csi.VolumeCapability
		readOnly          bool // of the publication
		want              codes.Code
		why               string
	}{
		{name: "the same", staged: mounted(modeMulti, "noatime"), published: mounted(modeMulti, "noatime"), want: codes.OK},
		{name: "another writer's mode", staged: mounted(modeMulti), published: mounted(modeSingle), want: codes.OK},
		{name: "read-only", staged: mounted(modeMulti), published: mounted(modeMulti), readOnly: true, want: codes.OK},
		{name: "a reader's mode", staged: mounted(modeMulti), published: mounted(modeReader), want: codes.OK},
		{name: "other flags", staged: mounted(modeMulti, "noatime"), published: mounted(modeMulti, "sync"), want: codes.FailedPrecondition, why: "mount flags"},
		{name: "flags, and staged without", staged: mounted(modeMulti), published: mounted(modeMulti, "sync"), want: codes.FailedPrecondition, why: "mount flags"},
		{name: "no flags, and staged with", staged: mounted(modeMulti, "sync"), published: mounted(modeMulti), want: codes.FailedPrecondition, why: "mount flags"},
		{name: "another file system", staged: formatted(modeMulti, "xfs"), published: formatted(modeMulti, "ext4"), want: codes.FailedPrecondition, why: `"xfs" and not "ext4"`},
		{name: "writable, and staged read-only", staged: mounted(modeReader), published: mounted(modeWriter), want: codes.FailedPrecondition, why: "read-only and not read-write"},
		{name: "raw, and staged with a file system", staged: mounted(modeMulti), published: raw(modeMulti), want: codes.FailedPrecondition, why: "block device"},
		{name: "with a file system, and staged raw", staged: raw(modeMulti), published: mounted(modeMulti), want: codes.FailedPrecondition, why: "block device"},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNode(t)
			node.done(node.stage(test.staged))
			node.restart()
			request := node.publication("a", test.published)
			request.Readonly = test.readOnly
			_, err := node.NodePublishVolume(t.Context(), request)
			wantReason(t, err, test.want, test.why)
			if _, err := os.Stat(node.target("a")); (err == nil) != (test.want == codes.OK) {
				t.Errorf("the target is there: %t", err == nil)
			}
		})
	}
}

func TestNodePublishVolumeNeedsStaging(t *testing.T) {
	node := newTestNode(t)
	request := node.publication("a", mounted(modeWriter))
	request.StagingTargetPath = ""
	_, err := node.NodePublishVolume(t.Context(), request)
	wantReason(t, err, codes.FailedPrecondition, "staging_target_path")
	wantReason(t, node.publish("a", mounted(modeWriter)), codes.FailedPrecondition, "not staged")

	// Staged in another way, and no longer.
	node.done(node.stage(mounted(modeWriter, "sync")))
	node.done(node.volumes.Unstage(t.Context(), node.id, node.staging))
	wantReason(t, node.publish("a", mounted(modeWriter)), codes.FailedPrecondition, "not staged")
}

func TestNodePublishVolumePaths(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeWriter)))
	for _, test := range []struct {
		name, target, why string
	}{
		{"where it is staged", node.staging, "contain each other"},
		{"in the volume", node.staging + "/x", "contain each other"},
		{"over the volume", node.staging[:len(node.staging)-len("/001")], "contain each other"},
		{"in no directory", node.target("none/x"), "parent"},
	} {
		t.Run(test.name, func(t *testing.T) {
			request := node.publication("a", mounted(modeWriter))
			request.TargetPath = test.target
			_, err := node.NodePublishVolume(t.Context(), request)
			wantReason(t, err, codes.InvalidArgument, test.why)
		})
	}
	// A path with only a common prefix is another path.
	wantCode(t, checkApart("/a/b", "/a/bc"), codes.OK)
	wantCode(t, checkApart("/a/bc", "/a/b"), codes.OK)
}

// TestNodeUnpublishVolumeOfAGoneVolume checks that the remains of a volume that was deleted while published are removed.
func TestNodeUnpublishVolumeOfAGoneVolume(t *testing.T) {
	node := newTestNodeWith(t, volume.InMemory)
	node.done(node.stage(mounted(modeWriter)))
	node.done(node.publish("a", mounted(modeWriter)))
	node.done(node.volumes.Delete(t.Context(), node.id))
	wantCode(t, node.unpublish("a"), codes.NotFound)
	wantCode(t, node.unstage(), codes.NotFound)
	if left := node.usages.All(); len(left) > 0 {
		t.Errorf("it still remembers %v", left)
	}
}
