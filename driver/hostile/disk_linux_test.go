// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/dir"
	"github.com/csi-topo/csi-topo/driver/volume/image"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// diskBytes is the size of volumes on disk: smaller images get no file system.
const diskBytes = image.MinimumBytes

// TestCorpusOnDisk tries the corpus on real images and directories, which the node really mounts: as root, so that no
// permission prevents a mistake.
func TestCorpusOnDisk(t *testing.T) {
	privileged.NeedDisks(t)
	for _, kind := range []volume.Kind{volume.Image, volume.Dir} {
		t.Run(string(kind), func(t *testing.T) {
			w := newDiskWorld(t, newTrap(t, memoryDir()), kind)
			t.Chdir(w.tree.path("cwd"))
			testValidRequests(t, w)
			tryCorpus(t, w, func(rpc) bool { return true })
		})
	}
}

// newDiskWorld returns a world of volumes on disk. It leaves no mount or loop device
// behind after the test.
func newDiskWorld(t *testing.T, tree trap, kind volume.Kind) *world {
	t.Helper()
	data := tree.path("data")
	images, err := image.Open(data, nil)
	must(t, "open the images", err)
	dirs, err := dir.Open(data, nil)
	must(t, "open the directories", err)
	ctx := logr.NewContext(t.Context(), logr.Discard())
	s := newServices(ctx, t, tree, setup{
		provisioner: volume.Provisioners{volume.Image: images, volume.Dir: dirs},
		mounter: volume.Mounters{
			volume.Image: image.NewMounter(volume.MounterConfig{DataDir: data, NodeID: nodeID}),
			volume.Dir:   dir.NewMounter(volume.MounterConfig{DataDir: data, NodeID: nodeID}),
		},
		kinds: []service.SupportedKind{
			{Kind: volume.Image, Sizes: service.Sizes{MinimumBytes: image.MinimumBytes, UnitBytes: 1 << 20}},
			{Kind: volume.Dir, Sizes: service.Sizes{UnitBytes: 1 << 20}},
		},
	})
	t.Cleanup(func() { unmountBelow(t, tree.root) })
	w := &world{call: serve(ctx, t, s), tree: tree, kind: kind, bytes: diskBytes, segment: segments()[0], node: nodeID}
	must(t, "set up the world", w.setUp(t.Context()))
	return w
}

// unmountBelow unmounts everything below the directory, the last mount first, and fails the test if an image in it is
// still attached to a loop device.
func unmountBelow(t *testing.T, dir string) {
	t.Helper()
	mounts := mountsBelow(t, dir)
	for n := range mounts {
		at := mounts[len(mounts)-1-n]
		must(t, "unmount "+at, unix.Unmount(at, unix.UMOUNT_NOFOLLOW))
	}
	files, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	must(t, "list the loop devices", err)
	for _, file := range files {
		if backing, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(backing), dir+"/") {
			t.Errorf("%s is still attached to a loop device (%s)", strings.TrimSpace(string(backing)), file)
		}
	}
}

// mountsBelow lists the mount points below the directory, in the order of mounting.
func mountsBelow(t *testing.T, dir string) []string {
	t.Helper()
	table, err := os.ReadFile("/proc/self/mountinfo")
	must(t, "read the mount table", err)
	var below []string
	for line := range strings.Lines(string(table)) {
		if at := strings.Fields(line)[4]; strings.HasPrefix(at, dir+"/") {
			below = append(below, at)
		}
	}
	return below
}
