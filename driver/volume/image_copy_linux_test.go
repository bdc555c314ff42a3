// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// put writes text at an offset of the image, and content reads it all.
func put(t *testing.T, i *Images, id string, at int64, text string) {
	t.Helper()
	file, err := i.open(id, false)
	must(t, "open", err)
	_, err = file.WriteAt([]byte(text), at)
	must(t, "write", errors.Join(err, file.Sync(), file.Close()))
}

func content(t *testing.T, i *Images, where, id string) []byte {
	t.Helper()
	file, err := i.openIn(where, id, os.O_RDONLY)
	must(t, "open", err)
	defer file.Close()
	info, err := file.Stat()
	must(t, "stat", err)
	all := make([]byte, info.Size())
	_, err = file.ReadAt(all, 0)
	must(t, "read", err)
	return all
}

// The copies are the same on a file system that clones files and on one that does not.
func TestImagesCopy(t *testing.T) {
	for _, fsType := range []string{"ext4", "xfs"} {
		t.Run(fsType, func(t *testing.T) {
			i := openImages(t, mountScratch(t, fsType, volumeSize))
			source := createImage(t, i, Size{Bytes: 8*mebi + 512})
			put(t, i, source, 3*mebi+7, "middle")
			put(t, i, source, 8*mebi+508, "end.")
			want := content(t, i, volumesDir, source)

			snapshot, clone, larger, same := newID(t, Image), newID(t, Image), newID(t, Image), newID(t, Image)
			for range 2 {
				must(t, "snapshot", i.CreateSnapshot(t.Context(), snapshot, source))
				must(t, "clone", i.Create(t.Context(), clone, Size{Bytes: 8*mebi + 512}, Origin{VolumeID: source}))
			}
			put(t, i, source, 3*mebi+7, "CHANGE")
			must(t, "restore larger", i.Create(t.Context(), larger, Size{Bytes: 16 * mebi}, Origin{SnapshotID: snapshot}))
			must(t, "restore allocated", i.Create(t.Context(), same, Size{Bytes: 8*mebi + 512, Allocated: true}, Origin{SnapshotID: snapshot}))

			for name, got := range map[string][]byte{
				"snapshot": content(t, i, snapshotsDir, snapshot), "clone": content(t, i, volumesDir, clone), "allocated": content(t, i, volumesDir, same),
			} {
				if !bytes.Equal(got, want) {
					t.Errorf("the %s is not what the volume was", name)
				}
			}
			if got := content(t, i, volumesDir, larger); len(got) != 16<<20 || !bytes.Equal(got[:len(want)], want) || len(bytes.Trim(got[len(want):], "\x00")) > 0 {
				t.Errorf("the larger copy of %d bytes is not what the volume was, with zeros behind", len(got))
			}
			wantImage(t, i, same, Size{Bytes: 8*mebi + 512, Allocated: true})
			info, err := i.stat(clone)
			must(t, "stat", err)
			if blocksOf(info) > mebi {
				t.Errorf("the copy of an image that holds next to nothing takes %d bytes", blocksOf(info))
			}
		})
	}
}

func TestImagesCopyRefuses(t *testing.T) {
	i := openImages(t, t.TempDir())
	id := createImage(t, i, Size{Bytes: 8192})
	snapshot := newID(t, Image)
	must(t, "snapshot", i.CreateSnapshot(t.Context(), snapshot, id))
	for _, test := range []struct {
		name  string
		given Origin
		size  int64
		want  error
	}{
		{name: "an unknown volume", given: Origin{VolumeID: newID(t, Image)}, size: 8192, want: ErrNotFound},
		{name: "an unknown snapshot", given: Origin{SnapshotID: newID(t, Image)}, size: 8192, want: ErrNotFound},
		{name: "a snapshot by the name of a volume", given: Origin{SnapshotID: id}, size: 8192, want: ErrNotFound},
		{name: "a volume by the name of a snapshot", given: Origin{VolumeID: snapshot}, size: 8192, want: ErrNotFound},
		{name: "a volume and a snapshot", given: Origin{VolumeID: id, SnapshotID: snapshot}, size: 8192, want: ErrInvalid},
		{name: "less than there is", given: Origin{VolumeID: id}, size: 4096, want: ErrInvalid},
		{name: "a volume of another kind", given: Origin{VolumeID: newID(t, Dir)}, size: 8192, want: ErrNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantError(t, "create", i.Create(t.Context(), newID(t, Image), Size{Bytes: test.size}, test.given), test.want)
			if names := images(t, i, volumesDir); len(names) != 1 {
				t.Errorf("there are %v", names)
			}
		})
	}
	wantError(t, "snapshot of an unknown volume", i.CreateSnapshot(t.Context(), newID(t, Image), newID(t, Image)), ErrNotFound)
	wantError(t, "snapshot of nothing", i.CreateSnapshot(t.Context(), newID(t, Image), ""), ErrNotFound)
}

func TestImagesCopyEndsWithItsCall(t *testing.T) {
	i := openImages(t, t.TempDir())
	id := createImage(t, i, Size{Bytes: mebi})
	put(t, i, id, 0, "data")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, "clone", i.Create(ctx, newID(t, Image), Size{Bytes: mebi}, Origin{VolumeID: id}), context.Canceled)
	if names := images(t, i, volumesDir); len(names) != 1 {
		t.Errorf("there are %v", names)
	}
}

// An image that is being written to is copied in one moment, or not at all.
func TestImagesCopyWhileInUse(t *testing.T) {
	for _, test := range []struct {
		fsType string
		want   error
	}{
		{fsType: "xfs"},
		{fsType: "ext4", want: ErrRefused},
	} {
		t.Run(test.fsType, func(t *testing.T) {
			i := openImages(t, mountScratch(t, test.fsType, volumeSize))
			id := createImage(t, i, Size{Bytes: 4 * mebi})
			n := anotherNode(t, i, "node")
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), StageOptions{Block: true}))
			put(t, i, id, 0, "before")
			snapshot, clone := newID(t, Image), newID(t, Image)
			for what, err := range map[string]error{
				"snapshot": i.CreateSnapshot(t.Context(), snapshot, id),
				"clone":    i.Create(t.Context(), clone, Size{Bytes: 4 * mebi}, Origin{VolumeID: id}),
			} {
				wantError(t, what, err, test.want)
				if err != nil && !strings.Contains(err.Error(), "XFS or Btrfs") {
					t.Errorf("the refusal does not say what to do: %v", err)
				}
			}
			if test.want == nil {
				put(t, i, id, 0, "after!")
				for _, got := range [][]byte{content(t, i, snapshotsDir, snapshot), content(t, i, volumesDir, clone)} {
					if string(got[:6]) != "before" {
						t.Errorf("the copy holds %q, want what was there before", got[:6])
					}
				}
			}
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			must(t, "snapshot when not in use", i.CreateSnapshot(t.Context(), newID(t, Image), id))
		})
	}
}

// While an image is copied by and by, nobody attaches it to write; that it is
// only read elsewhere hinders no copy.
func TestImagesCopyIsAlone(t *testing.T) {
	n, i, id := newNode(t)
	source, err := i.openOrigin(Origin{VolumeID: id})
	must(t, "begin to copy", err)
	wantError(t, "stage", within(t, func(ctx context.Context) error { return n.Stage(ctx, id, n.staging(), StageOptions{Block: true}) }), ErrRefused)
	must(t, "end", source.Close())
	o := StageOptions{Block: true, ReadOnly: true}
	must(t, "stage read-only", n.Stage(t.Context(), id, n.staging(), o))
	must(t, "snapshot of what is only read", i.CreateSnapshot(t.Context(), newID(t, Image), id))
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
}

// within calls with a context that ends before an attached image was waited for.
func within(t *testing.T, call func(context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*lockInterval)
	defer cancel()
	return call(ctx)
}

// An image that has its room allocated can be written to also when the file system
// is full, whatever was copied of it.
func TestImagesKeepTheirRoom(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			dir := mountScratch(t, fsType, volumeSize)
			i := openImages(t, dir)
			size := Size{Bytes: 16 * mebi, Allocated: true}
			id := createImage(t, i, size)
			all := strings.Repeat("first...", 2<<20)
			put(t, i, id, 0, all)
			snapshot, clone := newID(t, Image), newID(t, Image)
			must(t, "snapshot", i.CreateSnapshot(t.Context(), snapshot, id))
			must(t, "clone", i.Create(t.Context(), clone, size, Origin{SnapshotID: snapshot}))
			if _, err := fill(t, dir+"/neighbour"); err == nil {
				t.Fatal("the file system cannot be filled")
			}
			for _, id := range []string{id, clone} {
				put(t, i, id, 0, strings.Repeat("second..", 2<<20))
			}
			if !bytes.Equal(content(t, i, snapshotsDir, snapshot), []byte(all)) {
				t.Error("the snapshot changed with the volume")
			}
		})
	}
}
