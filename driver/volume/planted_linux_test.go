// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// canary makes files that no call may touch, and checks that when the test is over.
func canary(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		must(t, "mkdir", os.MkdirAll(filepath.Dir(path), 0o750))
		write(t, path, "canary")
	}
	t.Cleanup(func() {
		for _, name := range names {
			wantContent(t, filepath.Join(dir, name), "canary")
		}
	})
	return dir
}

// A link in the place of an image or of the directory of images is not followed,
// wherever it leads, by any call.
func TestImagesFollowNoPlantedLink(t *testing.T) {
	requireLoopDevices(t)
	outside := canary(t, "image", "dir/image.img", "dir/other")
	for _, test := range []struct {
		name  string
		plant func(t *testing.T, data, name string)
	}{
		{"a link out of the data directory", func(t *testing.T, data, name string) {
			must(t, "plant", os.Symlink(filepath.Join(outside, "image"), filepath.Join(data, volumesDir, name)))
		}},
		{"a link within the data directory", func(t *testing.T, data, name string) {
			write(t, filepath.Join(data, "records.db"), "canary")
			must(t, "plant", os.Symlink("../records.db", filepath.Join(data, volumesDir, name)))
			t.Cleanup(func() { wantContent(t, filepath.Join(data, "records.db"), "canary") })
		}},
		{"a second name of a file", func(t *testing.T, data, name string) {
			must(t, "plant", os.Link(filepath.Join(outside, "image"), filepath.Join(data, volumesDir, name)))
		}},
		{"a pipe", func(t *testing.T, data, name string) {
			must(t, "plant", unix.Mkfifo(filepath.Join(data, volumesDir, name), 0o600))
		}},
		{"a directory", func(t *testing.T, data, name string) {
			must(t, "plant", os.Mkdir(filepath.Join(data, volumesDir, name), 0o700))
		}},
		{"a link in place of the directory", func(t *testing.T, data, name string) {
			must(t, "remove", os.Remove(filepath.Join(data, volumesDir)))
			must(t, "plant", os.Symlink(filepath.Join(outside, "dir"), filepath.Join(data, volumesDir)))
			must(t, "name the canary", os.Rename(filepath.Join(outside, "dir", "image.img"), filepath.Join(outside, "dir", name)))
			t.Cleanup(func() {
				must(t, "find the canary again", os.Rename(filepath.Join(outside, "dir", name), filepath.Join(outside, "dir", "image.img")))
			})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			i, id := openImages(t, t.TempDir()), newID(t, Image)
			n := anotherNode(t, i, "node")
			test.plant(t, i.data.path, id+".img")
			size := Size{Bytes: 2 * mebi, Allocated: true}
			wantError(t, "create", i.Create(t.Context(), id, size, Origin{}), ErrRefused)
			wantError(t, "clone", i.Create(t.Context(), newID(t, Image), size, Origin{VolumeID: id}), ErrRefused)
			wantError(t, "snapshot", i.CreateSnapshot(t.Context(), newID(t, Image), id), ErrRefused)
			wantError(t, "resize", i.Resize(t.Context(), id, size), ErrRefused)
			for _, o := range []StageOptions{{}, {Block: true}, {ReadOnly: true}} {
				wantError(t, "stage", n.Stage(t.Context(), id, n.staging(), o), ErrRefused)
			}
			problems, err := i.Check(t.Context(), id, size)
			wantProblem(t, problems, err, "ImageReplaced", Inaccessible)
			problems, err = n.CheckAt(t.Context(), id, n.staging(), "")
			wantProblem(t, problems, err, "ImageReplaced", Inaccessible)
			_ = i.Delete(t.Context(), id) // takes the link, or refuses: the canaries tell
			if attached := attachedBelow(t, outside); len(attached) > 0 {
				t.Errorf("there are loop devices on %v", attached)
			}
		})
	}
}

// The name that an image has until it is whole may be planted, too.
func TestImagesFollowNoLinkOfTheUnfinishedName(t *testing.T) {
	outside := canary(t, "image")
	i, id := openImages(t, t.TempDir()), newID(t, Image)
	must(t, "plant", os.Symlink(filepath.Join(outside, "image"), filepath.Join(i.data.path, volumesDir, unfinishedName(id+".img"))))
	must(t, "create", i.Create(t.Context(), id, Size{Bytes: 4096}, Origin{}))
	wantImage(t, i, id, Size{Bytes: 4096})
}

func TestOpenImagesFollowsNoPlantedLink(t *testing.T) {
	outside := canary(t, "kept")
	for _, dir := range []string{volumesDir, snapshotsDir} {
		data := t.TempDir()
		must(t, "plant", os.Symlink(outside, filepath.Join(data, dir)))
		if _, err := OpenImages(data, nil); !errors.Is(err, ErrRefused) {
			t.Errorf("with a link in place of %s OpenImages answered %v, want ErrRefused", dir, err)
		}
	}
}
