// SPDX-License-Identifier: Apache-2.0

package image

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

func TestLoopMounterRefusesTheWrongFileSystemOnDisk(t *testing.T) {
	n, images, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: "ext4"}))
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
	wantError(t, "stage as xfs what is ext4", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: "xfs"}), volume.ErrRefused)
	put(t, images, id, 1024, strings.Repeat("\xff", 8192)) // the superblock, so that it is not a file system at all
	put(t, images, id, 510, "\x55\xaa")                    // but a partition table
	put(t, images, id, 450, "\x83")
	put(t, images, id, 454, "\x00\x08\x00\x00\x00\x08\x00\x00")
	wantError(t, "stage what is partitioned", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}), volume.ErrRefused)
}

// TestLoopMounterRefusesADamagedFileSystem checks that a file system beyond repair is refused, and left unchanged.
func TestLoopMounterRefusesADamagedFileSystem(t *testing.T) {
	for _, test := range []struct {
		fsType string
		at     int64
		bytes  int
	}{
		{fsType: "xfs", at: 108, bytes: 12},           // the label, which makes the checksum wrong
		{fsType: "ext4", at: 1024 + 0x64, bytes: 256}, // with unknown features
	} {
		t.Run(test.fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: test.fsType}))
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			wantDetached(t, images.data.Path)
			put(t, images, id, test.at, strings.Repeat("\xff", test.bytes))
			err := n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: test.fsType})
			if err == nil {
				t.Fatal("a damaged file system was mounted")
			}
			wantError(t, "stage", err, volume.ErrRefused)
		})
	}
}

// TestLoopMounterMakesAFileSystemOnce checks that an interrupted mkfs is repeated, as nothing can have been stored yet,
// but that a complete file system is never made again.
func TestLoopMounterMakesAFileSystemOnce(t *testing.T) {
	for _, test := range []struct {
		name      string
		at        int64
		text      string
		formatted bool
		want      error
	}{
		{name: "cut off", at: 126, text: "\x01"}, // sb_inprogress
		{name: "cut off before there was a superblock", at: 0, text: "\x00\x00\x00\x00"},
		{name: "lost its superblock", at: 0, text: "\x00\x00\x00\x00", formatted: true, want: volume.ErrRefused},
		{name: "got a bad superblock", at: 126, text: "\x01", formatted: true, want: volume.ErrRefused},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, images, id := newNode(t)
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			wantDetached(t, images.data.Path)
			if marked, err := images.formatted(id); err != nil || !marked {
				t.Skipf("the file system of %s keeps no extended attributes (%v)", images.data.Path, err)
			}
			put(t, images, id, test.at, test.text)
			if !test.formatted {
				must(t, "take the mark", unix.Removexattr(filepath.Join(images.data.Path, datadir.Volumes, id+".img"), formattedMark))
			}
			clone := newID(t, volume.Image)
			must(t, "clone", images.Create(t.Context(), clone, volume.Size{Bytes: volumeSize}, volume.Origin{VolumeID: id}))
			for _, id := range []string{id, clone} {
				wantError(t, "stage read-only", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{ReadOnly: true}), volume.ErrRefused)
				wantError(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}), test.want)
				must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			}
		})
	}
}
