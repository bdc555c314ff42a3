// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// images lists the files in a directory below the data directory.
func images(t *testing.T, i *Provisioner, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(i.data.Path, dir))
	must(t, "read the directory", err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestImagesCreate(t *testing.T) {
	tests := []struct {
		name   string
		given  volume.Size // an image of that size is there already; none if 0
		create volume.Size
		want   volume.Size
		fails  error
	}{
		{name: "makes an image of the size", create: volume.Size{Bytes: 8 * mebi}, want: volume.Size{Bytes: 8 * mebi}},
		{name: "allocates all of it", create: volume.Size{Bytes: 8 * mebi, Allocated: true}, want: volume.Size{Bytes: 8 * mebi, Allocated: true}},
		{name: "keeps one of the size", given: volume.Size{Bytes: 8 * mebi}, create: volume.Size{Bytes: 8 * mebi}, want: volume.Size{Bytes: 8 * mebi}},
		{name: "keeps a larger one", given: volume.Size{Bytes: 9 * mebi}, create: volume.Size{Bytes: 8 * mebi}, want: volume.Size{Bytes: 9 * mebi}},
		{name: "refuses a smaller one", given: volume.Size{Bytes: 7 * mebi}, create: volume.Size{Bytes: 8 * mebi}, want: volume.Size{Bytes: 7 * mebi}, fails: volume.ErrIncompatible},
		{name: "refuses one that is not allocated", given: volume.Size{Bytes: 8 * mebi}, create: volume.Size{Bytes: 8 * mebi, Allocated: true}, want: volume.Size{Bytes: 8 * mebi}, fails: volume.ErrIncompatible},
		{name: "keeps one that is allocated", given: volume.Size{Bytes: 8 * mebi, Allocated: true}, create: volume.Size{Bytes: 8 * mebi}, want: volume.Size{Bytes: 8 * mebi, Allocated: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			i, id := openImages(t, t.TempDir()), newID(t, volume.Image)
			if test.given.Bytes > 0 {
				must(t, "create the one that is there", i.Create(t.Context(), id, test.given, volume.Origin{}))
			}
			wantError(t, "create", i.Create(t.Context(), id, test.create, volume.Origin{}), test.fails)
			wantImage(t, i, id, test.want)
			if names := images(t, i, datadir.Volumes); len(names) != 1 || names[0] != id+".img" {
				t.Errorf("the directory holds %v, want only the image", names)
			}
		})
	}
}

func wantImage(t *testing.T, i *Provisioner, id string, want volume.Size) {
	t.Helper()
	info, err := i.stat(id)
	must(t, "look at the image", err)
	if got := (volume.Size{Bytes: info.Size(), Allocated: isAllocated(info)}); got != want {
		t.Errorf("the image is %+v, want %+v", got, want)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the image has mode %s: others could read it", info.Mode())
	}
}

func TestImagesAreSparse(t *testing.T) {
	i := openImages(t, t.TempDir())
	info, err := i.stat(createImage(t, i, volume.Size{Bytes: 1 << 40}))
	must(t, "look at the image", err)
	if blocksOf(info) > mebi {
		t.Errorf("an image of 1 TiB takes %d bytes before it is written to", blocksOf(info))
	}
}

func TestImagesResize(t *testing.T) {
	tests := []struct {
		name                string
		given, resize, want volume.Size
	}{
		{name: "grows", given: volume.Size{Bytes: 4096}, resize: volume.Size{Bytes: 8192}, want: volume.Size{Bytes: 8192}},
		{name: "stays when asked again", given: volume.Size{Bytes: 8192}, resize: volume.Size{Bytes: 8192}, want: volume.Size{Bytes: 8192}},
		{name: "never shrinks", given: volume.Size{Bytes: 8192}, resize: volume.Size{Bytes: 4096}, want: volume.Size{Bytes: 8192}},
		{name: "allocates", given: volume.Size{Bytes: mebi}, resize: volume.Size{Bytes: 2 * mebi, Allocated: true}, want: volume.Size{Bytes: 2 * mebi, Allocated: true}},
		{name: "allocates also what is larger", given: volume.Size{Bytes: 2 * mebi}, resize: volume.Size{Bytes: mebi, Allocated: true}, want: volume.Size{Bytes: 2 * mebi, Allocated: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			i := openImages(t, t.TempDir())
			id := createImage(t, i, test.given)
			for range 2 {
				must(t, "resize", i.Resize(t.Context(), id, test.resize))
				wantImage(t, i, id, test.want)
				if size, err := i.Size(t.Context(), id); err != nil || size != test.want.Bytes {
					t.Errorf("it says that it has %d bytes (%v), want %d", size, err, test.want.Bytes)
				}
			}
		})
	}
	t.Run("knows what is not there", func(t *testing.T) {
		i := openImages(t, t.TempDir())
		wantError(t, "resize", i.Resize(t.Context(), newID(t, volume.Image), volume.Size{Bytes: 1}), volume.ErrNotFound)
	})
}

// TestImagesWithoutRoom checks that an image whose blocks cannot be allocated takes none from others, and stays
// unchanged.
func TestImagesWithoutRoom(t *testing.T) {
	dir := mountScratch(t, "ext4", 32*mebi)
	i := openImages(t, dir)
	before := freeBytes(t, dir)
	tooMuch := volume.Size{Bytes: before + mebi, Allocated: true}
	id := newID(t, volume.Image)
	wantError(t, "create", i.Create(t.Context(), id, tooMuch, volume.Origin{}), syscall.ENOSPC)
	if names := images(t, i, datadir.Volumes); len(names) > 0 {
		t.Errorf("a create that failed left %v", names)
	}
	small := createImage(t, i, volume.Size{Bytes: mebi})
	wantError(t, "resize", i.Resize(t.Context(), small, tooMuch), syscall.ENOSPC)
	wantImage(t, i, small, volume.Size{Bytes: mebi})
	// The kernel may run out of room too, if others were faster.
	file, err := i.open(small, false)
	must(t, "open", err)
	defer file.Close()
	wantError(t, "allocate", unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, tooMuch.Bytes), syscall.ENOSPC)
	must(t, "give back", file.Truncate(mebi))
	if after := freeBytes(t, dir); before-after > 2*mebi {
		t.Errorf("calls that failed took %d bytes", before-after)
	}
}

// TestImagesGiveBlocksBack checks that blocks allocated beyond the end are freed if the call fails. An image that was
// extended is not shortened, as a node may already use it.
func TestImagesGiveBlocksBack(t *testing.T) {
	for _, test := range []struct {
		name  string
		step  string
		taken bool
		want  int64
	}{
		{"when the blocks were taken", "image: allocate", true, mebi},
		{"before it is extended", "image: size", false, mebi},
		{"when it was extended", "image: size", true, 64 * mebi},
		{"before it is on disk", "image: sync", false, 64 * mebi},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := openImages(t, t.TempDir())
			id := createImage(t, i, volume.Size{Bytes: mebi})
			faulty := at(i.data.Path, func(step string, taken bool) error {
				if step == test.step && taken == test.taken {
					return syscall.EIO
				}
				return nil
			})
			wantError(t, "resize", faulty.Resize(t.Context(), id, volume.Size{Bytes: 64 * mebi, Allocated: true}), syscall.EIO)
			info, err := i.stat(id)
			must(t, "stat", err)
			if info.Size() != test.want || blocksOf(info) > test.want+mebi {
				t.Errorf("the image has %d bytes, and %d of blocks, want %d", info.Size(), blocksOf(info), test.want)
			}
		})
	}
}

func freeBytes(t *testing.T, dir string) int64 {
	t.Helper()
	usage, err := mount.UsageAt(dir)
	must(t, "usage", err)
	return usage.AvailableBytes
}

func TestImagesDelete(t *testing.T) {
	i := openImages(t, t.TempDir())
	id, snapshot := createImage(t, i, volume.Size{Bytes: 4096}), newID(t, volume.Image)
	must(t, "snapshot", i.CreateSnapshot(t.Context(), snapshot, id))
	kept := createImage(t, i, volume.Size{Bytes: 4096})
	for _, name := range []string{datadir.Unfinished(id + ".img"), datadir.Unfinished(snapshot + ".img")} {
		for _, dir := range []string{datadir.Volumes, datadir.Snapshots} {
			write(t, filepath.Join(i.data.Path, dir, name), "half")
		}
	}
	for range 2 {
		must(t, "delete", i.Delete(t.Context(), id))
		must(t, "delete the snapshot", i.DeleteSnapshot(t.Context(), snapshot))
	}
	if names := images(t, i, datadir.Volumes); strings.Join(names, " ") != datadir.Unfinished(snapshot+".img")+" "+kept+".img" {
		t.Errorf("of volumes there are %v, want only the other one, and what was left of the snapshot's name", names)
	}
	if names := images(t, i, datadir.Snapshots); strings.Join(names, " ") != datadir.Unfinished(id+".img") {
		t.Errorf("of snapshots there are %v, want only what was left of the volume's name", names)
	}
	_, err := i.Size(t.Context(), id)
	wantError(t, "the size of what was deleted", err, volume.ErrNotFound)
}

// TestImagesRefuseOtherIDs checks that a text that is not the id of an image finds no image and no other file.
func TestImagesRefuseOtherIDs(t *testing.T) {
	i := openImages(t, t.TempDir())
	id := newID(t, volume.Image)
	outside := filepath.Join(i.data.Path, "escaped.img")
	write(t, outside, "kept")
	for _, id := range []string{
		"", ".", "..", "../escaped", "a/b", "/etc/passwd", ".hidden", "v", id + "/", id + "\x00", id + "/../" + id, "./" + id, strings.ToUpper(id),
		"%2e%2e", strings.Repeat("x", 4096), "image-..", newID(t, volume.Dir), newID(t, volume.InMemory), "state.db",
	} {
		wantError(t, "create "+id, i.Create(t.Context(), id, volume.Size{Bytes: 1}, volume.Origin{}), volume.ErrNotFound)
		wantError(t, "clone "+id, i.Create(t.Context(), newID(t, volume.Image), volume.Size{Bytes: 1}, volume.Origin{VolumeID: id + "x"}), volume.ErrNotFound)
		wantError(t, "resize "+id, i.Resize(t.Context(), id, volume.Size{Bytes: 1}), volume.ErrNotFound)
		_, err := i.Size(t.Context(), id)
		wantError(t, "the size of "+id, err, volume.ErrNotFound)
		wantError(t, "snapshot "+id, i.CreateSnapshot(t.Context(), id, id), volume.ErrNotFound)
		wantError(t, "delete "+id, i.Delete(t.Context(), id), nil)
		wantError(t, "delete snapshot "+id, i.DeleteSnapshot(t.Context(), id), nil)
		_, err = i.Check(t.Context(), id, volume.Size{})
		wantError(t, "check "+id, err, volume.ErrNotFound)
	}
	wantContent(t, outside, "kept")
	if names := append(images(t, i, datadir.Volumes), images(t, i, datadir.Snapshots)...); len(names) > 0 {
		t.Errorf("there are %v", names)
	}
}

func TestOpenImages(t *testing.T) {
	data := filepath.Join(t.TempDir(), "made", "below")
	node := at(data, nil)
	_, err := node.Size(t.Context(), newID(t, volume.Image))
	if err == nil || errors.Is(err, volume.ErrNotFound) {
		t.Errorf("without a data directory an image has the size %v, want an error that does not say that it is not there", err)
	}
	must(t, "mkdir", os.MkdirAll(data, 0o750))
	_, err = node.Size(t.Context(), newID(t, volume.Image))
	wantError(t, "the size of an image before the controller ran", err, volume.ErrNotFound)
	must(t, "delete before the controller ran", node.Delete(t.Context(), newID(t, volume.Image)))
	wantNoFile(t, filepath.Join(data, datadir.Volumes)) // a directory made by a node would not be writable for the controller

	controller := openImages(t, data)
	openImages(t, data)
	for _, dir := range []string{datadir.Volumes, datadir.Snapshots} {
		if info, err := os.Stat(filepath.Join(data, dir)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s is %v (%v), want a directory for its owner alone", dir, info, err)
		}
	}
	id := createImage(t, controller, volume.Size{Bytes: 4096})
	if size, err := node.Size(t.Context(), id); err != nil || size != 4096 {
		t.Errorf("the node that was there first sees %d bytes (%v)", size, err)
	}
}
