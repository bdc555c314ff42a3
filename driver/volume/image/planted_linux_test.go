// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// canary makes files that no call may touch, and checks them after the test.
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

// TestImagesFollowNoPlantedLink checks that no call follows a link in the place of an
// image or of the directory of images, wherever it leads.
func TestImagesFollowNoPlantedLink(t *testing.T) {
	privileged.NeedDisks(t)
	outside := canary(t, "image", "dir/image.img", "dir/other")
	for _, test := range []struct {
		name  string
		plant func(t *testing.T, data, name string)
	}{
		{"a link out of the data directory", func(t *testing.T, data, name string) {
			must(t, "plant", os.Symlink(filepath.Join(outside, "image"), filepath.Join(data, datadir.Volumes, name)))
		}},
		{"a link within the data directory", func(t *testing.T, data, name string) {
			write(t, filepath.Join(data, "records.db"), "canary")
			must(t, "plant", os.Symlink("../records.db", filepath.Join(data, datadir.Volumes, name)))
			t.Cleanup(func() { wantContent(t, filepath.Join(data, "records.db"), "canary") })
		}},
		{"a second name of a file", func(t *testing.T, data, name string) {
			must(t, "plant", os.Link(filepath.Join(outside, "image"), filepath.Join(data, datadir.Volumes, name)))
		}},
		{"a pipe", func(t *testing.T, data, name string) {
			must(t, "plant", unix.Mkfifo(filepath.Join(data, datadir.Volumes, name), 0o600))
		}},
		{"a directory", func(t *testing.T, data, name string) {
			must(t, "plant", os.Mkdir(filepath.Join(data, datadir.Volumes, name), 0o700))
		}},
		{"a link in place of the directory", func(t *testing.T, data, name string) {
			must(t, "remove", os.Remove(filepath.Join(data, datadir.Volumes)))
			must(t, "plant", os.Symlink(filepath.Join(outside, "dir"), filepath.Join(data, datadir.Volumes)))
			must(t, "name the canary", os.Rename(filepath.Join(outside, "dir", "image.img"), filepath.Join(outside, "dir", name)))
			t.Cleanup(func() {
				must(t, "find the canary again", os.Rename(filepath.Join(outside, "dir", name), filepath.Join(outside, "dir", "image.img")))
			})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			i, id := openImages(t, t.TempDir()), newID(t, volume.Image)
			n := anotherNode(t, i, "node")
			test.plant(t, i.data.Path, id+".img")
			size := volume.Size{Bytes: 2 * mebi, Allocated: true}
			wantError(t, "create", i.Create(t.Context(), id, size, volume.Origin{}), volume.ErrRefused)
			wantError(t, "clone", i.Create(t.Context(), newID(t, volume.Image), size, volume.Origin{VolumeID: id}), volume.ErrRefused)
			wantError(t, "snapshot", i.CreateSnapshot(t.Context(), newID(t, volume.Image), id), volume.ErrRefused)
			wantError(t, "resize", i.Resize(t.Context(), id, size), volume.ErrRefused)
			for _, o := range []volume.StageOptions{{}, {Block: true}, {ReadOnly: true}} {
				wantError(t, "stage", n.Stage(t.Context(), id, n.staging(), o), volume.ErrRefused)
			}
			problems, err := i.Check(t.Context(), id, size)
			wantProblem(t, problems, err, "ImageReplaced", volume.Inaccessible)
			problems, err = n.CheckAt(t.Context(), id, n.staging(), "")
			wantProblem(t, problems, err, "ImageReplaced", volume.Inaccessible)
			_ = i.Delete(t.Context(), id) // it may remove the link or fail: the canaries show what happened
			if attached := attachedBelow(t, outside); len(attached) > 0 {
				t.Errorf("there are loop devices on %v", attached)
			}
		})
	}
}

// TestImagesFollowNoLinkOfTheUnfinishedName checks that no call follows a link with the name of an unfinished image.
func TestImagesFollowNoLinkOfTheUnfinishedName(t *testing.T) {
	outside := canary(t, "image")
	i, id := openImages(t, t.TempDir()), newID(t, volume.Image)
	must(t, "plant", os.Symlink(filepath.Join(outside, "image"), filepath.Join(i.data.Path, datadir.Volumes, datadir.Unfinished(id+".img"))))
	must(t, "create", i.Create(t.Context(), id, volume.Size{Bytes: 4096}, volume.Origin{}))
	wantImage(t, i, id, volume.Size{Bytes: 4096})
}

func TestOpenImagesFollowsNoPlantedLink(t *testing.T) {
	outside := canary(t, "kept")
	for _, dir := range []string{datadir.Volumes, datadir.Snapshots} {
		data := t.TempDir()
		must(t, "plant", os.Symlink(outside, filepath.Join(data, dir)))
		if _, err := Open(data, nil); !errors.Is(err, volume.ErrRefused) {
			t.Errorf("with a link in place of %s Open answered %v, want volume.ErrRefused", dir, err)
		}
	}
}
