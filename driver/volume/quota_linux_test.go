// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mountWithQuotas mounts a file system that limits projects, where the kernel can.
func mountWithQuotas(t *testing.T, fsType string) string {
	t.Helper()
	requireLoopDevices(t)
	store := openImages(t, t.TempDir())
	t.Cleanup(func() { wantDetached(t, store.data.path) })
	n := anotherNode(t, store, "scratch")
	id := createImage(t, store, Size{Bytes: volumeSize})
	options := []string{"-f"}
	if fsType == "ext4" {
		options = []string{"-F", "-O", "project,quota", "-E", "quotatype=prjquota"}
	}
	image := filepath.Join(store.data.path, volumesDir, id+".img")
	output, err := n.run.Command("mkfs."+fsType, append(options, image)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if err := n.Stage(t.Context(), id, n.staging(), StageOptions{FSType: fsType, MountFlags: []string{"prjquota"}}); err != nil {
		t.Skipf("the kernel has no project quotas for %s (CONFIG_XFS_QUOTA, CONFIG_QFMT_V2): %v", fsType, err)
	}
	dir, err := os.Open(n.staging())
	must(t, "open", err)
	defer dir.Close()
	limits, err := limitsProjects(dir)
	must(t, "ask for quotas", err)
	if !limits {
		t.Skipf("the kernel has no project quotas for %s (CONFIG_XFS_QUOTA, CONFIG_QFMT_V2): it ignored prjquota", fsType)
	}
	return n.staging()
}

// A directory that is written to its limit is full, and its neighbour is not.
func TestDirMounterHoldsVolumesToTheirSize(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			dirs := openDirs(t, mountWithQuotas(t, fsType))
			letEverybodyIn(t, dirs.data.path)
			n, second := newDirNode(t, dirs), newDirNode(t, dirs)
			id, _ := createDir(t, dirs, 16*mebi)
			neighbour, _ := createDir(t, dirs, 16*mebi)
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), StageOptions{}))
			must(t, "stage the neighbour", second.Stage(t.Context(), neighbour, second.staging(), StageOptions{}))
			letEverybodyIn(t, n.staging())
			wantFull := func(path string, bytes int64) {
				t.Helper()
				var written int64
				var err error
				// Root may exceed the limits of an ext4, by CAP_SYS_RESOURCE.
				asNobody(t, func() { written, err = fill(t, path) })
				if !errors.Is(err, unix.ENOSPC) && !errors.Is(err, unix.EDQUOT) || written > bytes || written < bytes*9/10 {
					t.Errorf("of %d bytes %d could be written before %v, want nearly all before ENOSPC or EDQUOT", bytes, written, err)
				}
			}
			wantFull(filepath.Join(n.staging(), "f"), 16*mebi)
			usage, err := n.Usage(t.Context(), id, n.staging())
			if err != nil || usage.TotalBytes != 16*mebi || usage.AvailableBytes > mebi {
				t.Errorf("the usage is %+v (%v), want %d bytes, nearly all used", usage, err, 16*mebi)
			}
			must(t, "write to the neighbour", os.WriteFile(filepath.Join(second.staging(), "f"), make([]byte, 8*mebi), 0o600))

			must(t, "resize", dirs.Resize(t.Context(), id, Size{Bytes: 32 * mebi}))
			size, err := n.Expand(t.Context(), id, n.staging())
			if err != nil || size != 32*mebi {
				t.Errorf("Expand answered %d bytes (%v), want %d", size, err, 32*mebi)
			}
			wantFull(filepath.Join(n.staging(), "g"), 16*mebi)

			// A copy was made by one who sets no quotas; it counts when it is staged.
			clone := newID(t, Dir)
			must(t, "clone", dirs.Create(t.Context(), clone, Size{Bytes: 48 * mebi}, Origin{VolumeID: id}))
			third := newDirNode(t, dirs)
			letEverybodyIn(t, third.staging())
			must(t, "stage the clone", third.Stage(t.Context(), clone, third.staging(), StageOptions{}))
			wantFull(filepath.Join(third.staging(), "h"), 16*mebi)

			problems, err := n.CheckStorage(t.Context())
			wantProblem(t, problems, err, "", 0)
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			must(t, "delete", dirs.Delete(t.Context(), id))
		})
	}
}

// letEverybodyIn opens a temporary directory, and those that it is in, to all users.
func letEverybodyIn(t *testing.T, dir string) {
	t.Helper()
	for ; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		must(t, "stat", err)
		must(t, "let everybody in", os.Chmod(dir, info.Mode()|0o755))
	}
}

// All that is in a directory joins its project, and what is made in it later; what
// a link leads to does not.
func TestJoinProject(t *testing.T) {
	root := mountScratch(t, "xfs", volumeSize)
	outside := filepath.Join(root, "outside")
	write(t, outside, "")
	dir := filepath.Join(root, "dir")
	must(t, "mkdir", os.Mkdir(dir, 0o755))
	plantTree(t, dir)
	must(t, "link", os.Symlink(outside, filepath.Join(dir, "link")))
	project := func(path string) fileAttributes {
		t.Helper()
		file, err := os.Open(path)
		must(t, "open", err)
		defer file.Close()
		a, err := readAttributes(file)
		must(t, "read the project", err)
		return a
	}
	opened, err := os.OpenRoot(dir)
	must(t, "open", err)
	defer opened.Close()
	must(t, "join", joinProject(t.Context(), opened, 4711, 0))
	write(t, filepath.Join(dir, "dir", "later"), "")
	must(t, "walk", filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && (entry.IsDir() || entry.Type().IsRegular()) {
			if a := project(path); a.project != 4711 || a.inProject(4711) != entry.IsDir() {
				t.Errorf("%s has %+v, want project 4711", path, a)
			}
		}
		return err
	}))
	if a := project(outside); a.project != 0 {
		t.Errorf("a link led out of the directory: what it names is in project %d", a.project)
	}
}

func TestProjectOf(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	must(t, "open", err)
	defer dir.Close()
	info, err := dir.Stat()
	must(t, "stat", err)
	project, err := projectOf(dir)
	if number := info.Sys().(*syscall.Stat_t).Ino; err != nil || uint64(project) != number {
		t.Errorf("inode %d has project %d (%v)", number, project, err)
	}
}
