// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func TestLoopMounterStageReadOnly(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: fsType}))
			write(t, filepath.Join(n.staging(), "f"), "kept")
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))

			o := volume.StageOptions{FSType: fsType, ReadOnly: true}
			must(t, "stage read-only", n.Stage(t.Context(), id, n.staging(), o))
			must(t, "stage read-only again", n.Stage(t.Context(), id, n.staging(), o))
			wantContent(t, filepath.Join(n.staging(), "f"), "kept")
			found, err := n.find(id, n.staging())
			must(t, "find the device", err)
			defer found.Close()
			if readOnly, err := isReadOnlyDevice(found.device); err != nil || !readOnly {
				t.Errorf("the loop device is read-only: %t (%v): its image could be written to", readOnly, err)
			}
			must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
			must(t, "publish again", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
			for _, path := range []string{n.staging(), n.target()} {
				if err := os.WriteFile(filepath.Join(path, "g"), nil, 0o600); !errors.Is(err, unix.EROFS) {
					t.Errorf("writing to a volume that is staged read-only gave %v, want EROFS", err)
				}
			}
			must(t, "resize", images.Resize(t.Context(), id, volume.Size{Bytes: 2 * volumeSize}))
			_, err = n.Expand(t.Context(), id, n.staging())
			wantError(t, "expand what is read-only", err, volume.ErrRefused)
		})
	}
}

// TestLoopMounterStageReadOnlyAfterNoUnmount checks that staging a copy of a volume in use replays its journal even if
// read-only.
func TestLoopMounterStageReadOnlyAfterNoUnmount(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			images := openImages(t, mountScratch(t, "xfs", 4*volumeSize))
			id := createImage(t, images, volume.Size{Bytes: volumeSize})
			n, other := anotherNode(t, images, "node"), anotherNode(t, images, "other")
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: fsType}))
			write(t, filepath.Join(n.staging(), "f"), "kept")
			dir, err := os.Open(n.staging())
			must(t, "open", err)
			must(t, "sync", errors.Join(unix.Syncfs(int(dir.Fd())), dir.Close()))
			write(t, filepath.Join(n.staging(), "g"), "in the journal")
			clone := newID(t, volume.Image)
			must(t, "clone", images.Create(t.Context(), clone, volume.Size{Bytes: volumeSize}, volume.Origin{VolumeID: id}))
			must(t, "stage the clone read-only", other.Stage(t.Context(), clone, other.staging(), volume.StageOptions{FSType: fsType, ReadOnly: true}))
			wantContent(t, filepath.Join(other.staging(), "f"), "kept")
			if err := os.WriteFile(filepath.Join(other.staging(), "h"), nil, 0o600); !errors.Is(err, unix.EROFS) {
				t.Errorf("writing gave %v, want EROFS", err)
			}
		})
	}
}
