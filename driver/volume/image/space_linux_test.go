// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// TestLoopMounterHoldsVolumesToTheirSize checks that a volume written to its limit is full, and its neighbor is not.
func TestLoopMounterHoldsVolumesToTheirSize(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			neighbour := anotherNode(t, images, "neighbour")
			w := createImage(t, images, volume.Size{Bytes: volumeSize})
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: fsType}))
			must(t, "stage the neighbour", neighbour.Stage(t.Context(), w, neighbour.staging(), volume.StageOptions{FSType: fsType}))
			written, err := fill(t, filepath.Join(n.staging(), "f"))
			if !errors.Is(err, unix.ENOSPC) || written > volumeSize || written < volumeSize*7/10 {
				t.Errorf("of %d bytes %d could be written before %v, want nearly all before ENOSPC", volumeSize, written, err)
			}
			must(t, "write to the neighbour", os.WriteFile(filepath.Join(neighbour.staging(), "f"), make([]byte, 16*mebi), 0o600))
		})
	}
}

// TestLoopMounterMountsCopiesBesideTheirSource checks that a clone and a restored snapshot can be mounted beside their
// sources, with the same data, with their full sizes, and independent of their sources.
func TestLoopMounterMountsCopiesBesideTheirSource(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			o := volume.StageOptions{FSType: fsType}
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
			write(t, filepath.Join(n.staging(), "f"), "of the source")
			before := totalBytes(t, n, id)
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			snapshot, clone, restored := newID(t, volume.Image), newID(t, volume.Image), newID(t, volume.Image)
			must(t, "snapshot", images.CreateSnapshot(t.Context(), snapshot, id))
			must(t, "clone", images.Create(t.Context(), clone, volume.Size{Bytes: volumeSize}, volume.Origin{VolumeID: id}))
			must(t, "restore", images.Create(t.Context(), restored, volume.Size{Bytes: 2 * volumeSize}, volume.Origin{SnapshotID: snapshot}))

			must(t, "stage the source again", n.Stage(t.Context(), id, n.staging(), o))
			for copied, larger := range map[string]bool{clone: false, restored: true} {
				beside := anotherNode(t, images, "beside")
				must(t, "stage the copy", beside.Stage(t.Context(), copied, beside.staging(), o))
				wantContent(t, filepath.Join(beside.staging(), "f"), "of the source")
				write(t, filepath.Join(beside.staging(), "f"), "of the copy")
				gained := totalBytes(t, beside, copied) - before
				if larger && gained < volumeSize*9/10 || !larger && gained != 0 {
					t.Errorf("the file system of the copy has %d bytes more (larger: %t)", gained, larger)
				}
			}
			wantContent(t, filepath.Join(n.staging(), "f"), "of the source")
		})
	}
}

func TestLoopMounterUsage(t *testing.T) {
	n, _, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	before, err := n.Usage(t.Context(), id, n.staging())
	must(t, "usage", err)
	must(t, "write", os.WriteFile(filepath.Join(n.staging(), "f"), make([]byte, 16*mebi), 0o600))
	after, err := n.Usage(t.Context(), id, n.staging())
	must(t, "usage", err)
	if used := after.UsedBytes - before.UsedBytes; used < 16*mebi || used > 17*mebi {
		t.Errorf("16 MiB written are seen as %d bytes used", used)
	}
	if used := after.UsedInodes - before.UsedInodes; used != 1 {
		t.Errorf("one file is seen as %d inodes used", used)
	}
	if after.TotalBytes > volumeSize || after.TotalBytes < volumeSize*7/10 {
		t.Errorf("the file system has %d bytes on an image of %d", after.TotalBytes, volumeSize)
	}
	_, err = n.Usage(t.Context(), id, n.dir)
	wantError(t, "usage where it is not", err, volume.ErrNotFound)
	_, err = n.Usage(t.Context(), newID(t, volume.Image), n.staging())
	wantError(t, "usage of an unknown volume", err, volume.ErrNotFound)
}

// TestManyLoopDevicesAtOnce checks that more volumes than the eight devices of a fresh /dev can be attached at once,
// though all try the same free loop device.
func TestManyLoopDevicesAtOnce(t *testing.T) {
	n, images, _ := newNode(t)
	var group errgroup.Group
	for number := range 10 {
		id, path := createImage(t, images, volume.Size{Bytes: volumeSize}), filepath.Join(n.dir, fmt.Sprint(number))
		must(t, "mkdir", os.Mkdir(path, 0o750))
		group.Go(func() error { return n.Stage(t.Context(), id, path, volume.StageOptions{Block: number%2 == 0}) })
	}
	must(t, "stage", group.Wait())
}
