// SPDX-License-Identifier: Apache-2.0

package image

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// put writes text at an offset of the image, and content reads it all.
func put(t *testing.T, i *Provisioner, id string, at int64, text string) {
	t.Helper()
	file, err := i.open(id, false)
	must(t, "open", err)
	_, err = file.WriteAt([]byte(text), at)
	must(t, "write", errors.Join(err, file.Sync(), file.Close()))
}

func content(t *testing.T, i *Provisioner, where, id string) []byte {
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

// TestImagesCopy checks copies on a file system that clones files and on one that does not.
func TestImagesCopy(t *testing.T) {
	for _, fsType := range []string{"ext4", "xfs"} {
		t.Run(fsType, func(t *testing.T) {
			i := openImages(t, mountScratch(t, fsType, volumeSize))
			source := createImage(t, i, volume.Size{Bytes: 8*mebi + 512})
			put(t, i, source, 3*mebi+7, "middle")
			put(t, i, source, 8*mebi+508, "end.")
			want := content(t, i, datadir.Volumes, source)

			snapshot, clone, larger, same := newID(t, volume.Image), newID(t, volume.Image), newID(t, volume.Image), newID(t, volume.Image)
			for range 2 {
				must(t, "snapshot", i.CreateSnapshot(t.Context(), snapshot, source))
				must(t, "clone", i.Create(t.Context(), clone, volume.Size{Bytes: 8*mebi + 512}, volume.Origin{VolumeID: source}))
			}
			put(t, i, source, 3*mebi+7, "CHANGE")
			must(t, "restore larger", i.Create(t.Context(), larger, volume.Size{Bytes: 16 * mebi}, volume.Origin{SnapshotID: snapshot}))
			must(t, "restore allocated", i.Create(t.Context(), same, volume.Size{Bytes: 8*mebi + 512, Allocated: true}, volume.Origin{SnapshotID: snapshot}))

			for name, got := range map[string][]byte{
				"snapshot": content(t, i, datadir.Snapshots, snapshot), "clone": content(t, i, datadir.Volumes, clone), "allocated": content(t, i, datadir.Volumes, same),
			} {
				if !bytes.Equal(got, want) {
					t.Errorf("the %s is not what the volume was", name)
				}
			}
			if got := content(t, i, datadir.Volumes, larger); len(got) != 16<<20 || !bytes.Equal(got[:len(want)], want) || len(bytes.Trim(got[len(want):], "\x00")) > 0 {
				t.Errorf("the larger copy of %d bytes is not what the volume was, with zeros behind", len(got))
			}
			wantImage(t, i, same, volume.Size{Bytes: 8*mebi + 512, Allocated: true})
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
	id := createImage(t, i, volume.Size{Bytes: 8192})
	snapshot := newID(t, volume.Image)
	must(t, "snapshot", i.CreateSnapshot(t.Context(), snapshot, id))
	for _, test := range []struct {
		name  string
		given volume.Origin
		size  int64
		want  error
	}{
		{name: "an unknown volume", given: volume.Origin{VolumeID: newID(t, volume.Image)}, size: 8192, want: volume.ErrNotFound},
		{name: "an unknown snapshot", given: volume.Origin{SnapshotID: newID(t, volume.Image)}, size: 8192, want: volume.ErrNotFound},
		{name: "a snapshot by the name of a volume", given: volume.Origin{SnapshotID: id}, size: 8192, want: volume.ErrNotFound},
		{name: "a volume by the name of a snapshot", given: volume.Origin{VolumeID: snapshot}, size: 8192, want: volume.ErrNotFound},
		{name: "a volume and a snapshot", given: volume.Origin{VolumeID: id, SnapshotID: snapshot}, size: 8192, want: volume.ErrInvalid},
		{name: "less than there is", given: volume.Origin{VolumeID: id}, size: 4096, want: volume.ErrInvalid},
		{name: "a volume of another kind", given: volume.Origin{VolumeID: newID(t, volume.Dir)}, size: 8192, want: volume.ErrNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantError(t, "create", i.Create(t.Context(), newID(t, volume.Image), volume.Size{Bytes: test.size}, test.given), test.want)
			if names := images(t, i, datadir.Volumes); len(names) != 1 {
				t.Errorf("there are %v", names)
			}
		})
	}
	wantError(t, "snapshot of an unknown volume", i.CreateSnapshot(t.Context(), newID(t, volume.Image), newID(t, volume.Image)), volume.ErrNotFound)
	wantError(t, "snapshot of nothing", i.CreateSnapshot(t.Context(), newID(t, volume.Image), ""), volume.ErrNotFound)
}

func TestImagesCopyEndsWithItsCall(t *testing.T) {
	i := openImages(t, t.TempDir())
	id := createImage(t, i, volume.Size{Bytes: mebi})
	put(t, i, id, 0, "data")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, "clone", i.Create(ctx, newID(t, volume.Image), volume.Size{Bytes: mebi}, volume.Origin{VolumeID: id}), context.Canceled)
	if names := images(t, i, datadir.Volumes); len(names) != 1 {
		t.Errorf("there are %v", names)
	}
}

// TestImagesCopyWhileInUse checks that an image in use is copied at one moment, or not at all.
func TestImagesCopyWhileInUse(t *testing.T) {
	for _, test := range []struct {
		fsType string
		want   error
	}{
		{fsType: "xfs"},
		{fsType: "ext4", want: volume.ErrRefused},
	} {
		t.Run(test.fsType, func(t *testing.T) {
			i := openImages(t, mountScratch(t, test.fsType, volumeSize))
			id := createImage(t, i, volume.Size{Bytes: 4 * mebi})
			n := anotherNode(t, i, "node")
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true}))
			put(t, i, id, 0, "before")
			snapshot, clone := newID(t, volume.Image), newID(t, volume.Image)
			for what, err := range map[string]error{
				"snapshot": i.CreateSnapshot(t.Context(), snapshot, id),
				"clone":    i.Create(t.Context(), clone, volume.Size{Bytes: 4 * mebi}, volume.Origin{VolumeID: id}),
			} {
				wantError(t, what, err, test.want)
				if err != nil && !strings.Contains(err.Error(), "XFS or Btrfs") {
					t.Errorf("the refusal does not say what to do: %v", err)
				}
			}
			if test.want == nil {
				put(t, i, id, 0, "after!")
				for _, got := range [][]byte{content(t, i, datadir.Snapshots, snapshot), content(t, i, datadir.Volumes, clone)} {
					if string(got[:6]) != "before" {
						t.Errorf("the copy holds %q, want what was there before", got[:6])
					}
				}
			}
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			must(t, "snapshot when not in use", i.CreateSnapshot(t.Context(), newID(t, volume.Image), id))
		})
	}
}

// TestImagesCopyIsAlone checks that an image cannot be attached for writing while it is copied, and that an image that is
// only read elsewhere can be copied.
func TestImagesCopyIsAlone(t *testing.T) {
	n, i, id := newNode(t)
	source, err := i.openOrigin(volume.Origin{VolumeID: id})
	must(t, "begin to copy", err)
	wantError(t, "stage", within(t, func(ctx context.Context) error {
		return n.Stage(ctx, id, n.staging(), volume.StageOptions{Block: true})
	}), volume.ErrRefused)
	must(t, "end", source.Close())
	o := volume.StageOptions{Block: true, ReadOnly: true}
	must(t, "stage read-only", n.Stage(t.Context(), id, n.staging(), o))
	must(t, "snapshot of what is only read", i.CreateSnapshot(t.Context(), newID(t, volume.Image), id))
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
}

// within calls with a context that ends while the call waits for an attached image.
func within(t *testing.T, call func(context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*lockInterval)
	defer cancel()
	return call(ctx)
}

// TestImagesKeepTheirRoom checks that an allocated image can be written to even when the file system is full, whatever
// copies were made of it.
func TestImagesKeepTheirRoom(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			dir := mountScratch(t, fsType, volumeSize)
			i := openImages(t, dir)
			size := volume.Size{Bytes: 16 * mebi, Allocated: true}
			id := createImage(t, i, size)
			all := strings.Repeat("first...", 2<<20)
			put(t, i, id, 0, all)
			snapshot, clone := newID(t, volume.Image), newID(t, volume.Image)
			must(t, "snapshot", i.CreateSnapshot(t.Context(), snapshot, id))
			must(t, "clone", i.Create(t.Context(), clone, size, volume.Origin{SnapshotID: snapshot}))
			if _, err := fill(t, dir+"/neighbour"); err == nil {
				t.Fatal("the file system cannot be filled")
			}
			for _, id := range []string{id, clone} {
				put(t, i, id, 0, strings.Repeat("second..", 2<<20))
			}
			if !bytes.Equal(content(t, i, datadir.Snapshots, snapshot), []byte(all)) {
				t.Error("the snapshot changed with the volume")
			}
		})
	}
}
