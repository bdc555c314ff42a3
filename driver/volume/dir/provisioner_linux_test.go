// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

func openDirs(t *testing.T, dir string) *Provisioner {
	t.Helper()
	dirs, err := Open(dir, nil)
	must(t, "open the directories", err)
	return dirs
}

// createDir makes a volume and returns its id and the directory that pods see.
func createDir(t *testing.T, dirs *Provisioner, bytes int64) (id, content string) {
	t.Helper()
	id = newID(t, volume.Dir)
	must(t, "create", dirs.Create(t.Context(), id, volume.Size{Bytes: bytes}, volume.Origin{}))
	return id, filepath.Join(dirs.data.Path, datadir.Volumes, id+".dir", contentDir)
}

// names lists the entries of a directory below the data directory.
func names(t *testing.T, data, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(data, dir))
	must(t, "read the directory", err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

// asNobody calls with the rights of the user nobody, on a separate thread.
func asNobody(t *testing.T, call func()) {
	t.Helper()
	const nobody = 65534
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its rights
		for _, set := range []uintptr{unix.SYS_SETRESGID, unix.SYS_SETRESUID} {
			if _, _, errno := unix.RawSyscall(set, nobody, nobody, nobody); errno != 0 {
				done <- errno
				return
			}
		}
		call()
		done <- nil
	}()
	must(t, "become nobody", <-done)
}

// newDataDirOfNobody returns a data directory that belongs to that user.
func newDataDirOfNobody(t *testing.T) string {
	t.Helper()
	privileged.Need(t)
	dir := t.TempDir()
	openToAllUsers(t, dir)
	must(t, "give it away", os.Chown(dir, 65534, 65534))
	return dir
}

func TestDirsCreate(t *testing.T) {
	for _, test := range []struct {
		name   string
		given  int64 // a directory of that size is there already; none if 0
		create volume.Size
		want   int64
		fails  error
	}{
		{name: "makes a directory", create: volume.Size{Bytes: 8192}, want: 8192},
		{name: "keeps one of the size", given: 8192, create: volume.Size{Bytes: 8192}, want: 8192},
		{name: "keeps a larger one", given: 8193, create: volume.Size{Bytes: 8192}, want: 8193},
		{name: "refuses a smaller one", given: 8191, create: volume.Size{Bytes: 8192}, want: 8191, fails: volume.ErrIncompatible},
		{name: "refuses what cannot be allocated", given: 8192, create: volume.Size{Bytes: 8192, Allocated: true}, want: 8192, fails: volume.ErrInvalid},
	} {
		t.Run(test.name, func(t *testing.T) {
			dirs, id := openDirs(t, t.TempDir()), newID(t, volume.Dir)
			if test.given > 0 {
				must(t, "create the one that is there", dirs.Create(t.Context(), id, volume.Size{Bytes: test.given}, volume.Origin{}))
			}
			wantError(t, "create", dirs.Create(t.Context(), id, test.create, volume.Origin{}), test.fails)
			wantDir(t, dirs, id, test.want)
		})
	}
}

func wantDir(t *testing.T, dirs *Provisioner, id string, bytes int64) {
	t.Helper()
	dir, err := dirs.open(datadir.Volumes, id)
	must(t, "open", err)
	defer dir.Close()
	if got, err := readSize(dir); err != nil || got != bytes {
		t.Errorf("the directory is for %d bytes (%v), want %d", got, err, bytes)
	}
	if info, err := dir.Stat(contentDir); err != nil || info.Mode() != os.ModeDir|0o777 {
		t.Errorf("what pods see is %v (%v), want a directory for everybody", info, err)
	}
	if info, err := dir.Stat("."); err != nil || info.Mode() != os.ModeDir|0o700 {
		t.Errorf("the volume is %v (%v), want a directory for its owner alone", info, err)
	}
	if got := names(t, dirs.data.Path, datadir.Volumes); got != id+".dir" {
		t.Errorf("there are %q, want the volume alone", got)
	}
}

func TestDirsResize(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, 4096)
	write(t, filepath.Join(content, "f"), "kept")
	for _, step := range []struct{ resize, want int64 }{{8192, 8192}, {8192, 8192}, {4096, 8192}} {
		must(t, "resize", dirs.Resize(t.Context(), id, volume.Size{Bytes: step.resize}))
		wantDir(t, dirs, id, step.want)
		if size, err := dirs.Size(t.Context(), id); err != nil || size != step.want {
			t.Errorf("it says that it has %d bytes (%v), want %d", size, err, step.want)
		}
	}
	wantContent(t, filepath.Join(content, "f"), "kept")
	wantError(t, "allocate", dirs.Resize(t.Context(), id, volume.Size{Bytes: 8192, Allocated: true}), volume.ErrInvalid)
	wantError(t, "resize an unknown volume", dirs.Resize(t.Context(), newID(t, volume.Dir), volume.Size{Bytes: 1}), volume.ErrNotFound)
	_, err := dirs.Size(t.Context(), newID(t, volume.Dir))
	wantError(t, "the size of an unknown volume", err, volume.ErrNotFound)
}

func TestDirsSnapshotsAndCopies(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, 8192)
	write(t, filepath.Join(content, "f"), "before")
	snapshot, clone, restored := newID(t, volume.Dir), newID(t, volume.Dir), newID(t, volume.Dir)
	for range 2 {
		must(t, "snapshot", dirs.CreateSnapshot(t.Context(), snapshot, id))
		must(t, "clone", dirs.Create(t.Context(), clone, volume.Size{Bytes: 8192}, volume.Origin{VolumeID: id}))
		write(t, filepath.Join(content, "f"), "after")
	}
	must(t, "restore", dirs.Create(t.Context(), restored, volume.Size{Bytes: 16384}, volume.Origin{SnapshotID: snapshot}))
	for _, copied := range []string{clone, restored} {
		wantContent(t, filepath.Join(dirs.data.Path, datadir.Volumes, copied+".dir", contentDir, "f"), "before")
	}
	must(t, "delete the source", dirs.Delete(t.Context(), id))
	for range 2 {
		must(t, "delete the snapshot", dirs.DeleteSnapshot(t.Context(), snapshot))
	}
	if got := names(t, dirs.data.Path, datadir.Snapshots) + names(t, dirs.data.Path, datadir.Trash); got != "" {
		t.Errorf("snapshots that were deleted left %q", got)
	}
	must(t, "delete the clone", dirs.Delete(t.Context(), clone))
	wantDir(t, dirs, restored, 16384)
}

func TestDirsCopyRefuses(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, _ := createDir(t, dirs, 8192)
	snapshot := newID(t, volume.Dir)
	must(t, "snapshot", dirs.CreateSnapshot(t.Context(), snapshot, id))
	for _, test := range []struct {
		name  string
		given volume.Origin
		size  int64
		want  error
	}{
		{name: "an unknown volume", given: volume.Origin{VolumeID: newID(t, volume.Dir)}, size: 8192, want: volume.ErrNotFound},
		{name: "a snapshot by the name of a volume", given: volume.Origin{SnapshotID: id}, size: 8192, want: volume.ErrNotFound},
		{name: "a volume and a snapshot", given: volume.Origin{VolumeID: id, SnapshotID: snapshot}, size: 8192, want: volume.ErrInvalid},
		{name: "less than there is", given: volume.Origin{VolumeID: id}, size: 4096, want: volume.ErrInvalid},
		{name: "a volume of another kind", given: volume.Origin{VolumeID: newID(t, volume.Image)}, size: 8192, want: volume.ErrNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantError(t, "create", dirs.Create(t.Context(), newID(t, volume.Dir), volume.Size{Bytes: test.size}, test.given), test.want)
		})
	}
	if got := names(t, dirs.data.Path, datadir.Volumes) + " " + names(t, dirs.data.Path, datadir.Snapshots) + " " + names(t, dirs.data.Path, datadir.Trash); got != id+".dir "+snapshot+".dir " {
		t.Errorf("calls that were refused left %q", got)
	}
}

func TestDirsRefuseOtherIDs(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	outside := canary(t, "kept")
	must(t, "link", os.Symlink(outside, filepath.Join(dirs.data.Path, "escaped.dir")))
	id := newID(t, volume.Dir)
	for _, id := range []string{"", "..", "../escaped", "a/b", "/etc", ".hidden", id + "/", id + "\x00", "./" + id, strings.Repeat("x", 4096), newID(t, volume.Image)} {
		wantError(t, "create "+id, dirs.Create(t.Context(), id, volume.Size{Bytes: 1}, volume.Origin{}), volume.ErrNotFound)
		wantError(t, "resize "+id, dirs.Resize(t.Context(), id, volume.Size{Bytes: 1}), volume.ErrNotFound)
		wantError(t, "snapshot "+id, dirs.CreateSnapshot(t.Context(), id, id), volume.ErrNotFound)
		wantError(t, "snapshot of "+id, dirs.CreateSnapshot(t.Context(), newID(t, volume.Dir), id), volume.ErrNotFound)
		wantError(t, "delete "+id, dirs.Delete(t.Context(), id), nil)
		wantError(t, "delete snapshot "+id, dirs.DeleteSnapshot(t.Context(), id), nil)
		_, err := dirs.Check(t.Context(), id, volume.Size{})
		wantError(t, "check "+id, err, volume.ErrNotFound)
	}
}

func TestDirsCheck(t *testing.T) {
	for _, test := range []struct {
		name     string
		given    func(t *testing.T, data, dir string)
		want     string
		severity volume.Severity
	}{
		{name: "whole", given: func(*testing.T, string, string) {}},
		{name: "removed", want: "DirectoryMissing", severity: volume.DataLoss, given: func(t *testing.T, _, dir string) { must(t, "remove", os.RemoveAll(dir)) }},
		{name: "its content removed", want: "DirectoryMissing", severity: volume.DataLoss, given: func(t *testing.T, _, dir string) { must(t, "remove", os.Remove(filepath.Join(dir, contentDir))) }},
		{name: "a link instead", want: "DirectoryReplaced", severity: volume.Inaccessible, given: func(t *testing.T, _, dir string) {
			must(t, "move", os.Rename(dir, dir+".moved"))
			must(t, "link", os.Symlink(dir+".moved", dir))
		}},
		{name: "for too few bytes", want: "DirectorySizeWrong", severity: volume.Degraded, given: func(t *testing.T, _, dir string) { write(t, filepath.Join(dir, sizeFile), "4095\n") }},
		{name: "for no number of bytes", want: "DirectorySizeWrong", severity: volume.Degraded, given: func(t *testing.T, _, dir string) { write(t, filepath.Join(dir, sizeFile), "") }},
		{name: "without its size", want: "DirectorySizeWrong", severity: volume.Degraded, given: func(t *testing.T, _, dir string) { must(t, "remove", os.Remove(filepath.Join(dir, sizeFile))) }},
		{name: "no data directory", want: "DataDirectoryUnreachable", severity: volume.Inaccessible, given: func(t *testing.T, data, _ string) { must(t, "move", os.Rename(data, data+".moved")) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			dirs := openDirs(t, data)
			id, _ := createDir(t, dirs, 4096)
			test.given(t, data, filepath.Join(data, datadir.Volumes, id+".dir"))
			problems, err := dirs.Check(t.Context(), id, volume.Size{Bytes: 4096})
			wantProblem(t, problems, err, test.want, test.severity)
		})
	}
}

// TestDirsFollowNoPlantedLink checks that no call follows a link in the place of any
// part of a volume.
func TestDirsFollowNoPlantedLink(t *testing.T) {
	outside := canary(t, "dir/kept", "dir/data/kept", "dir/bytes")
	for _, test := range []struct {
		name  string
		plant func(t *testing.T, volumes, dir string)
	}{
		{"in place of the volume", func(t *testing.T, _, dir string) {
			must(t, "remove", os.RemoveAll(dir))
			must(t, "plant", os.Symlink(filepath.Join(outside, "dir"), dir))
		}},
		{"in place of what pods see", func(t *testing.T, _, dir string) {
			must(t, "remove", os.Remove(filepath.Join(dir, contentDir)))
			must(t, "plant", os.Symlink(filepath.Join(outside, "dir"), filepath.Join(dir, contentDir)))
		}},
		{"in place of the directory of volumes", func(t *testing.T, volumes, _ string) {
			must(t, "remove", os.RemoveAll(volumes))
			must(t, "plant", os.Symlink(outside, volumes))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dirs := openDirs(t, t.TempDir())
			n := newDirNode(t, dirs)
			id, content := createDir(t, dirs, 4096)
			test.plant(t, filepath.Join(dirs.data.Path, datadir.Volumes), filepath.Dir(content))
			for what, err := range map[string]error{
				"clone":    dirs.Create(t.Context(), newID(t, volume.Dir), volume.Size{Bytes: 8192}, volume.Origin{VolumeID: id}),
				"snapshot": dirs.CreateSnapshot(t.Context(), newID(t, volume.Dir), id),
				"stage":    n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}),
			} {
				wantError(t, what, err, volume.ErrRefused)
			}
			_ = dirs.Resize(t.Context(), id, volume.Size{Bytes: 8192})
			_ = dirs.Delete(t.Context(), id) // it may remove the link or fail: the canaries show what happened
			must(t, "empty the trash", n.EmptyTrash(t.Context()))
		})
	}
}
