// SPDX-License-Identifier: Apache-2.0

package dir

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

// dirNode is one node's view of volumes that are directories.
type dirNode struct {
	*Mounter
	dir string
}

func (n dirNode) staging() string { return filepath.Join(n.dir, "staging") }
func (n dirNode) target() string  { return filepath.Join(n.dir, "target") }

func newDirNode(t *testing.T, dirs *Provisioner) dirNode {
	t.Helper()
	privileged.Need(t)
	n := dirNode{Mounter: NewMounter(volume.MounterConfig{DataDir: dirs.data.Path}), dir: t.TempDir()}
	must(t, "make the staging path", os.Mkdir(n.staging(), 0o750))
	t.Cleanup(func() { unmountBelow(t, n.dir) })
	return n
}

func TestDirMounterOnTwoNodes(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, _ := createDir(t, dirs, mebi)
	nodes := []dirNode{newDirNode(t, dirs), newDirNode(t, dirs)}
	for _, n := range nodes {
		for range 2 {
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
			must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
		}
	}
	write(t, filepath.Join(nodes[0].target(), "f"), "of the first")
	wantContent(t, filepath.Join(nodes[1].target(), "f"), "of the first")
	must(t, "resize", dirs.Resize(t.Context(), id, volume.Size{Bytes: 2 * mebi}))
	for _, path := range []string{nodes[0].target(), nodes[0].staging()} {
		if size, err := nodes[0].Expand(t.Context(), id, path); err != nil || size != 2*mebi {
			t.Errorf("Expand answered %d bytes (%v), want %d", size, err, 2*mebi)
		}
		if usage, err := nodes[0].Usage(t.Context(), id, path); err != nil || usage.Block || usage.TotalBytes == 0 {
			t.Errorf("the usage is %+v (%v)", usage, err)
		}
	}
	for _, n := range nodes {
		for range 2 {
			must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
			wantNoFile(t, n.target())
		}
		for range 2 {
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
		}
		if mounts := mountsBelow(t, n.dir); len(mounts) > 0 {
			t.Errorf("there are mounts at %v", mounts)
		}
	}
	must(t, "stage", nodes[0].Stage(t.Context(), id, nodes[0].staging(), volume.StageOptions{}))
	wantContent(t, filepath.Join(nodes[0].staging(), "f"), "of the first")
}

func TestDirMounterRefuses(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, _ := createDir(t, dirs, mebi)
	w, _ := createDir(t, dirs, mebi)
	n := newDirNode(t, dirs)
	link := filepath.Join(n.dir, "link")
	must(t, "link", os.Symlink(n.staging(), link))
	empty := filepath.Join(n.dir, "empty")
	must(t, "mkdir", os.Mkdir(empty, 0o750))
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	for _, test := range []struct {
		name string
		id   string
		path string
		with volume.StageOptions
		want error
	}{
		{name: "a block device", id: w, path: empty, with: volume.StageOptions{Block: true}, want: volume.ErrInvalid},
		{name: "a file system", id: w, path: empty, with: volume.StageOptions{FSType: "xfs"}, want: volume.ErrInvalid},
		{name: "a flag of a file system", id: w, path: empty, with: volume.StageOptions{MountFlags: []string{"noatime", "discard"}}, want: volume.ErrInvalid},
		{name: "flags that contradict", id: w, path: empty, with: volume.StageOptions{MountFlags: []string{"ro", "rw"}}, want: volume.ErrInvalid},
		{name: "a staging path that is not there", id: w, path: filepath.Join(n.dir, "none"), want: volume.ErrInvalid},
		{name: "a staging path that is a link", id: w, path: link, want: volume.ErrInvalid},
		{name: "an unknown volume", id: newID(t, volume.Dir), path: empty, want: volume.ErrNotFound},
		{name: "a volume of another kind", id: newID(t, volume.Image), path: empty, want: volume.ErrNotFound},
		{name: "read-only instead", id: id, path: n.staging(), with: volume.StageOptions{ReadOnly: true}, want: volume.ErrIncompatible},
		{name: "a path with another volume", id: w, path: n.staging(), want: volume.ErrIncompatible},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantError(t, "stage", n.Stage(t.Context(), test.id, test.path, test.with), test.want)
			if mounts := mountsBelow(t, n.dir); len(mounts) != 1 {
				t.Errorf("a refused stage left mounts at %v", mounts)
			}
		})
	}
	publish := func(id, staging, target string, o volume.PublishOptions) error {
		return n.Publish(t.Context(), id, staging, target, o)
	}
	wantError(t, "publish as a block device", publish(id, n.staging(), n.target(), volume.PublishOptions{Block: true}), volume.ErrInvalid)
	wantError(t, "publish what is not staged", publish(id, empty, n.target(), volume.PublishOptions{}), volume.ErrRefused)
	wantError(t, "publish what is staged elsewhere", publish(w, n.staging(), n.target(), volume.PublishOptions{}), volume.ErrRefused)
	wantError(t, "publish an unknown volume", publish(newID(t, volume.Dir), n.staging(), n.target(), volume.PublishOptions{}), volume.ErrNotFound)
	wantError(t, "publish to a link", publish(id, n.staging(), link, volume.PublishOptions{}), volume.ErrInvalid)
	wantNoFile(t, n.target())
	must(t, "publish", publish(id, n.staging(), n.target(), volume.PublishOptions{}))
	wantError(t, "publish read-only", publish(id, n.staging(), n.target(), volume.PublishOptions{ReadOnly: true}), volume.ErrIncompatible)
	must(t, "unpublish another volume there", n.Unpublish(t.Context(), w, n.target()))
	must(t, "unstage another volume there", n.Unstage(t.Context(), w, n.staging()))
	if mounts := mountsBelow(t, n.dir); len(mounts) != 2 {
		t.Errorf("of staging and target path %v are left", mounts)
	}
	unknown := newID(t, volume.Dir)
	for what, err := range map[string]error{
		"unpublish an unknown volume": n.Unpublish(t.Context(), unknown, empty),
		"unstage an unknown volume":   n.Unstage(t.Context(), unknown, n.staging()),
		"expand an unknown volume":    second(n.Expand(t.Context(), unknown, n.staging())),
		"expand where it is not":      second(n.Expand(t.Context(), w, n.staging())),
		"usage of an unknown volume":  second(n.Usage(t.Context(), unknown, n.staging())),
		"usage where nothing is":      second(n.Usage(t.Context(), w, n.dir)),
		"check of what is no id":      second(n.CheckAt(t.Context(), "v", "", "")),
	} {
		wantError(t, what, err, volume.ErrNotFound)
	}
}

func second[T any](_ T, err error) error { return err }

func TestDirMounterMountFlags(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, mebi)
	write(t, filepath.Join(content, "f"), "kept")
	for _, test := range []struct {
		name  string
		with  volume.StageOptions
		want  int64 // of statfs
		readO bool
	}{
		{name: "flags", with: volume.StageOptions{MountFlags: []string{"nosuid,nodev", "noexec", "noatime", "nodiratime"}}, want: unix.ST_NOSUID | unix.ST_NODEV | unix.ST_NOEXEC | unix.ST_NOATIME | unix.ST_NODIRATIME},
		{name: "relatime", with: volume.StageOptions{MountFlags: []string{"relatime", "nosymfollow"}}, want: unix.ST_RELATIME | 0x2000},
		{name: "ro", with: volume.StageOptions{MountFlags: []string{"ro"}}, want: unix.ST_RDONLY, readO: true},
		{name: "only read", with: volume.StageOptions{ReadOnly: true}, want: unix.ST_RDONLY, readO: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := newDirNode(t, dirs)
			for range 2 {
				must(t, "stage", n.Stage(t.Context(), id, n.staging(), test.with))
				must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
			}
			for _, path := range []string{n.staging(), n.target()} {
				var s unix.Statfs_t
				must(t, "statfs", unix.Statfs(path, &s))
				if s.Flags&test.want != test.want {
					t.Errorf("%s has the flags %#x, want %#x", path, s.Flags, test.want)
				}
				wantContent(t, filepath.Join(path, "f"), "kept")
				err := os.WriteFile(filepath.Join(path, "g"), nil, 0o600)
				if test.readO && !errors.Is(err, unix.EROFS) || !test.readO && err != nil {
					t.Errorf("writing gave %v, read-only: %t", err, test.readO)
				}
			}
		})
	}
	t.Run("published read-only", func(t *testing.T) {
		n := newDirNode(t, dirs)
		must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
		must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{ReadOnly: true}))
		if err := os.WriteFile(filepath.Join(n.target(), "g"), nil, 0o600); !errors.Is(err, unix.EROFS) {
			t.Errorf("writing gave %v, want EROFS", err)
		}
		write(t, filepath.Join(n.staging(), "g"), "")
	})
}

func TestDirMounterCheckAt(t *testing.T) {
	for _, test := range []struct {
		name  string
		given func(t *testing.T, n dirNode, id string)
		want  string
	}{
		{name: "staged and published"},
		{name: "not published any more", want: "NotPublished", given: func(t *testing.T, n dirNode, id string) {
			must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
		}},
		{name: "not staged any more", want: "NotStaged", given: func(t *testing.T, n dirNode, id string) { must(t, "unstage", n.Unstage(t.Context(), id, n.staging())) }},
		{name: "directory moved away", want: "DirectoryMissing", given: func(t *testing.T, n dirNode, id string) {
			name, err := dirName(id)
			must(t, "name", err)
			path := filepath.Join(n.dirs.data.Path, datadir.Volumes, name)
			must(t, "move", os.Rename(path, path+".moved"))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dirs := openDirs(t, t.TempDir())
			n := newDirNode(t, dirs)
			id, _ := createDir(t, dirs, mebi)
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
			must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
			if test.given != nil {
				test.given(t, n, id)
			}
			problems, err := n.CheckAt(t.Context(), id, n.staging(), n.target())
			wantProblem(t, problems, err, test.want, volume.Inaccessible)
		})
	}
	dirs := openDirs(t, t.TempDir())
	_, err := NewMounter(volume.MounterConfig{DataDir: dirs.data.Path}).CheckAt(t.Context(), newID(t, volume.Dir), "", "")
	wantError(t, "check of a volume that does not exist", err, volume.ErrNotFound)
}
