// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// TestPlantedTargets checks that foreign things at the paths that a node is given stay: links, files, directories that
// are not empty, and foreign mounts.
func TestPlantedTargets(t *testing.T) {
	privileged.NeedDisks(t)
	for _, kind := range []volume.Kind{volume.Image, volume.Dir} {
		w := newDiskWorld(t, newTrap(t, memoryDir()), kind)
		for _, test := range append(targets(w), mountedTargets(w)...) {
			t.Run(string(kind)+": "+test.name, func(t *testing.T) { test.try(t, w) })
		}
	}
}

// TestPlantedTargetsInMemory checks the same as TestPlantedTargets for volumes in memory, which mount nothing.
func TestPlantedTargetsInMemory(t *testing.T) {
	w := newMemoryWorld(logr.NewContext(t.Context(), logr.Discard()), t)
	for _, test := range targets(w) {
		t.Run(test.name, func(t *testing.T) { test.try(t, w) })
	}
}

// target is a thing planted at a path, with a call for the path and the expected code.
type target struct {
	name string
	// plant puts the thing there, and removes it after the test.
	plant func(t *testing.T)
	rpc   string
	given proto.Message
	want  []codes.Code
	// kept is the path whose whole tree must stay as it is.
	kept string
}

func targets(w *world) []target {
	invalid := []codes.Code{codes.InvalidArgument}
	pods, canaries, empty := w.tree.path("node/pods"), w.tree.path("outside/etc"), w.tree.path("outside/etc/empty")
	at := filepath.Join(pods, "planted")
	link := func(to string) func(*testing.T) {
		return func(t *testing.T) {
			must(t, "plant a link", os.Symlink(to, at))
			t.Cleanup(func() { must(t, "remove the link", os.Remove(at)) })
		}
	}
	stage, unstage, publish, unpublish := requestsAt(w, at)
	return []target{
		{"a link to canaries, to stage at", link(canaries), "NodeStageVolume", stage, invalid, at},
		{"a link to canaries, to unstage", link(canaries), "NodeUnstageVolume", unstage, invalid, at},
		{"a link to canaries, to publish at", link(canaries), "NodePublishVolume", publish, invalid, at},
		{"a link to canaries, to unpublish", link(canaries), "NodeUnpublishVolume", unpublish, invalid, at},
		{"a link to an empty directory, to unpublish", link(empty), "NodeUnpublishVolume", unpublish, invalid, at},
		{"a link to nothing, to publish at", link("/nowhere"), "NodePublishVolume", publish, invalid, at},
		{"a link to where another volume is, to unpublish", link(w.mountedTarget()), "NodeUnpublishVolume", unpublish, invalid, at},

		{"a directory with files, to unpublish", directory(at), "NodeUnpublishVolume", unpublish, invalid, at},
		{"a file, to unpublish", file(at), "NodeUnpublishVolume", unpublish, invalid, at},
		{"a file, to publish at", file(at), "NodePublishVolume", publish, invalid, at},
		{"a file, to stage at", file(at), "NodeStageVolume", stage, invalid, at},
		{"a pipe, to unpublish", pipe(at), "NodeUnpublishVolume", unpublish, invalid, at},
		{"a pipe, to publish at", pipe(at), "NodePublishVolume", publish, invalid, at},

		{"the mount of another volume, to unpublish", func(*testing.T) {}, "NodeUnpublishVolume",
			&csi.NodeUnpublishVolumeRequest{VolumeId: w.published, TargetPath: w.mountedTarget()}, []codes.Code{codes.OK}, w.mountedTarget()},
		{"the mount of another volume, to unstage", func(*testing.T) {}, "NodeUnstageVolume",
			&csi.NodeUnstageVolumeRequest{VolumeId: w.idle, StagingTargetPath: w.mountedStaging()}, []codes.Code{codes.OK}, w.mountedStaging()},
		{"a parent that became a link to canaries, to unpublish", link(canaries), "NodeUnpublishVolume",
			&csi.NodeUnpublishVolumeRequest{VolumeId: w.published, TargetPath: filepath.Join(at, "passwd")}, invalid, at},
	}
}

// mountedTargets returns the targets that are foreign mounts.
func mountedTargets(w *world) []target {
	canaries, at := w.tree.path("outside/etc"), w.tree.path("node/pods/planted")
	stage, unstage, publish, unpublish := requestsAt(w, at)
	return []target{
		{"a mount of others, to unpublish", mount(at, canaries), "NodeUnpublishVolume", unpublish, []codes.Code{codes.OK}, at},
		{"a mount of others, to unstage", mount(at, canaries), "NodeUnstageVolume", unstage, []codes.Code{codes.OK}, at},
		{"a mount of others, to publish at", mount(at, canaries), "NodePublishVolume", publish, []codes.Code{codes.AlreadyExists}, at},
		{"a mount of others, to stage at", mount(at, canaries), "NodeStageVolume", stage, []codes.Code{codes.AlreadyExists}, at},
	}
}

// requestsAt returns the requests for a path where no volume is.
func requestsAt(w *world, at string) (stage, unstage, publish, unpublish proto.Message) {
	return &csi.NodeStageVolumeRequest{VolumeId: w.idle, StagingTargetPath: at, VolumeCapability: w.capability()},
		&csi.NodeUnstageVolumeRequest{VolumeId: w.idle, StagingTargetPath: at},
		&csi.NodePublishVolumeRequest{VolumeId: w.published, StagingTargetPath: w.publishedStaging(), TargetPath: at, VolumeCapability: w.capability()},
		&csi.NodeUnpublishVolumeRequest{VolumeId: w.published, TargetPath: at}
}

func (p target) try(t *testing.T, w *world) {
	p.plant(t)
	all := func(string) bool { return false }
	before, kept, mounts := w.tree.fingerprint(t), fingerprint(t, p.kept, all), mountsBelow(t, w.tree.root)
	_, err := w.send(t.Context(), p.rpc, p.given)
	if got := status.Convert(err); !slices.Contains(p.want, got.Code()) {
		t.Errorf("answered %s (%s), want one of %v", got.Code(), got.Message(), p.want)
	}
	wantSame(t, p.rpc, before, w.tree.fingerprint(t))
	wantSame(t, p.rpc, kept, fingerprint(t, p.kept, all))
	if after := mountsBelow(t, w.tree.root); !slices.Equal(mounts, after) {
		t.Errorf("the mounts were %v and are %v", mounts, after)
	}
}

func directory(at string) func(*testing.T) {
	return func(t *testing.T) {
		must(t, "plant a directory", os.MkdirAll(filepath.Join(at, "below"), 0o750))
		must(t, "plant a file", os.WriteFile(filepath.Join(at, "below", "file"), []byte("kept"), 0o600))
		t.Cleanup(func() { must(t, "remove the directory", os.RemoveAll(at)) })
	}
}

func file(at string) func(*testing.T) {
	return func(t *testing.T) {
		must(t, "plant a file", os.WriteFile(at, []byte("kept"), 0o600))
		t.Cleanup(func() { must(t, "remove the file", os.Remove(at)) })
	}
}

func pipe(at string) func(*testing.T) {
	return func(t *testing.T) {
		must(t, "plant a pipe", unix.Mkfifo(at, 0o600))
		t.Cleanup(func() { must(t, "remove the pipe", os.Remove(at)) })
	}
}

// mount returns a function that bind-mounts a directory of canaries at the path.
func mount(at, from string) func(*testing.T) {
	return func(t *testing.T) {
		must(t, "make a directory", os.Mkdir(at, 0o750))
		must(t, "mount", unix.Mount(from, at, "", unix.MS_BIND, ""))
		t.Cleanup(func() {
			must(t, "unmount", unix.Unmount(at, unix.UMOUNT_NOFOLLOW))
			must(t, "remove the directory", os.Remove(at))
		})
	}
}
