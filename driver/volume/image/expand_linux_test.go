// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
)

func TestLoopMounterExpand(t *testing.T) {
	n, images, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
	before := totalBytes(t, n, id)
	const larger = 2 * volumeSize
	for _, path := range []string{n.target(), n.staging()} { // nothing is left to do for the second
		must(t, "resize", images.Resize(t.Context(), id, volume.Size{Bytes: larger}))
		size, err := n.Expand(t.Context(), id, path)
		must(t, "expand", err)
		if size != larger {
			t.Errorf("Expand answered %d bytes, want %d", size, larger)
		}
		if gained := totalBytes(t, n, id) - before; gained < volumeSize*9/10 {
			t.Errorf("the file system gained %d bytes, want about %d", gained, volumeSize)
		}
	}
	_, err := n.Expand(t.Context(), id, n.dir)
	wantError(t, "expand where it is not", err, volume.ErrNotFound)
	_, err = n.Expand(t.Context(), newID(t, volume.Image), n.target())
	wantError(t, "expand an unknown volume", err, volume.ErrNotFound)
}

func totalBytes(t *testing.T, n node, id string) int64 {
	t.Helper()
	usage, err := n.Usage(t.Context(), id, n.staging())
	must(t, "usage", err)
	return usage.TotalBytes
}

// TestLoopMounterExpandExt4 checks that a mounted ext4 grows or, if the host does not allow that, that the error says how
// to grow it, and that this works.
func TestLoopMounterExpandExt4(t *testing.T) {
	n, images, id := newNode(t)
	o := volume.StageOptions{FSType: "ext4"}
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
	before := totalBytes(t, n, id)
	must(t, "resize", images.Resize(t.Context(), id, volume.Size{Bytes: 2 * volumeSize}))
	_, err := n.Expand(t.Context(), id, n.staging())
	if err != nil {
		if !errors.Is(err, volume.ErrRefused) || !strings.Contains(err.Error(), "stage it again") {
			t.Fatalf("Expand answered %v, want none or a refusal that says what to do", err)
		}
		must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
		must(t, "stage again", n.Stage(t.Context(), id, n.staging(), o))
	}
	if gained := totalBytes(t, n, id) - before; gained < volumeSize*9/10 {
		t.Errorf("the file system gained %d bytes, want about %d", gained, volumeSize)
	}
}

// TestLoopMounterGrowsWhenStaged checks that staging grows a file system whose image was expanded before.
func TestLoopMounterGrowsWhenStaged(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			o := volume.StageOptions{FSType: fsType}
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
			write(t, filepath.Join(n.staging(), "f"), "kept")
			before := totalBytes(t, n, id)
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			must(t, "resize", images.Resize(t.Context(), id, volume.Size{Bytes: 2 * volumeSize}))
			must(t, "stage read-only", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: fsType, ReadOnly: true}))
			if after := totalBytes(t, n, id); after != before {
				t.Errorf("a file system that is only read has %d bytes instead of %d", after, before)
			}
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
			if gained := totalBytes(t, n, id) - before; gained < volumeSize*9/10 {
				t.Errorf("the file system gained %d bytes, want about %d", gained, volumeSize)
			}
			wantContent(t, filepath.Join(n.staging(), "f"), "kept")
		})
	}
}

func TestSuperblock(t *testing.T) {
	for _, test := range []struct {
		name  string
		given map[int]string
		size  int64
		count int64
		grows int64 // the smallest device on which it grows
	}{
		{name: "nothing", given: nil},
		{name: "xfs", given: map[int]string{0: "XFSB\x00\x00\x10\x00\x00\x00\x00\x01\x00\x00\x00\x02"}, size: 4096, count: 1<<32 + 2, grows: (1<<32 + 3) * 4096},
		{name: "ext4", given: map[int]string{1024 + 0x4: "\x05", 1024 + 0x18: "\x02", 1024 + 0x38: "\x53\xef", 1024 + 0x150: "\x01"}, size: 4096, count: 5, grows: 6 * 4096},
		{name: "ext4 of 64 bits", given: map[int]string{1024 + 0x4: "\x05", 1024 + 0x38: "\x53\xef", 1024 + 0x60: "\x80", 1024 + 0x150: "\x01"}, size: 1024, count: 1<<32 + 5, grows: (1<<32 + 6) * 1024},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s superblock
			for at, text := range test.given {
				copy(s[at:], text)
			}
			if size, count := s.blocks(); size != test.size || count != test.count {
				t.Errorf("there are %d blocks of %d bytes, want %d of %d", count, size, test.count, test.size)
			}
			if s.canGrow(test.grows-1) || test.grows > 0 && !s.canGrow(test.grows) {
				t.Errorf("it grows on %d bytes: %t, on %d bytes: %t", test.grows-1, s.canGrow(test.grows-1), test.grows, s.canGrow(test.grows))
			}
		})
	}
}

func TestRefusedGrowth(t *testing.T) {
	for _, test := range []struct {
		name  string
		given string
		want  bool
	}{
		{name: "ext4 without CAP_SYS_RESOURCE", given: "resize2fs: Permission denied to resize filesystem", want: true},
		{name: "xfs without CAP_SYS_ADMIN", given: "xfs_growfs: XFS_IOC_FSGROWFSDATA xfsctl failed: Operation not permitted", want: true},
		{name: "mounted read-only", given: "xfs_growfs: XFS_IOC_FSGROWFSDATA xfsctl failed: Read-only file system", want: true},
		{name: "no room", given: "xfs_growfs: XFS_IOC_FSGROWFSDATA xfsctl failed: No space left on device"},
		{name: "no program", given: `executable file not found in $PATH`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := refusedGrowth(errors.New(test.given)); got != test.want {
				t.Errorf("refusedGrowth(%q) = %t, want %t", test.given, got, test.want)
			}
		})
	}
}
