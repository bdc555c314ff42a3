// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func openDirs(t *testing.T, dir string) *Dirs {
	t.Helper()
	dirs, err := OpenDirs(dir, nil)
	must(t, "open the directories", err)
	return dirs
}

// createDir makes a volume and returns its id and the directory that pods see.
func createDir(t *testing.T, dirs *Dirs, bytes int64) (id, content string) {
	t.Helper()
	id = newID(t, Dir)
	must(t, "create", dirs.Create(t.Context(), id, Size{Bytes: bytes}, Origin{}))
	return id, filepath.Join(dirs.data.path, volumesDir, id+".dir", contentDir)
}

// names lists what there is in a directory below the data directory.
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

// asNobody calls with the rights of a user who has none, on a thread of its own.
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

// dataOfNobody returns a data directory that belongs to that user.
func dataOfNobody(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("becoming another user needs root")
	}
	dir := t.TempDir()
	letEverybodyIn(t, dir)
	must(t, "give it away", os.Chown(dir, 65534, 65534))
	return dir
}

func TestDirsCreate(t *testing.T) {
	for _, test := range []struct {
		name   string
		given  int64 // a directory of that size is there already; none if 0
		create Size
		want   int64
		fails  error
	}{
		{name: "makes a directory", create: Size{Bytes: 8192}, want: 8192},
		{name: "keeps one of the size", given: 8192, create: Size{Bytes: 8192}, want: 8192},
		{name: "keeps a larger one", given: 8193, create: Size{Bytes: 8192}, want: 8193},
		{name: "refuses a smaller one", given: 8191, create: Size{Bytes: 8192}, want: 8191, fails: ErrIncompatible},
		{name: "refuses what cannot be allocated", given: 8192, create: Size{Bytes: 8192, Allocated: true}, want: 8192, fails: ErrInvalid},
	} {
		t.Run(test.name, func(t *testing.T) {
			dirs, id := openDirs(t, t.TempDir()), newID(t, Dir)
			if test.given > 0 {
				must(t, "create the one that is there", dirs.Create(t.Context(), id, Size{Bytes: test.given}, Origin{}))
			}
			wantError(t, "create", dirs.Create(t.Context(), id, test.create, Origin{}), test.fails)
			wantDir(t, dirs, id, test.want)
		})
	}
}

func wantDir(t *testing.T, dirs *Dirs, id string, bytes int64) {
	t.Helper()
	dir, err := dirs.open(volumesDir, id)
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
	if got := names(t, dirs.data.path, volumesDir); got != id+".dir" {
		t.Errorf("there are %q, want the volume alone", got)
	}
}

func TestDirsResize(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, 4096)
	write(t, filepath.Join(content, "f"), "kept")
	for _, step := range []struct{ resize, want int64 }{{8192, 8192}, {8192, 8192}, {4096, 8192}} {
		must(t, "resize", dirs.Resize(t.Context(), id, Size{Bytes: step.resize}))
		wantDir(t, dirs, id, step.want)
		if size, err := dirs.Size(t.Context(), id); err != nil || size != step.want {
			t.Errorf("it says that it has %d bytes (%v), want %d", size, err, step.want)
		}
	}
	wantContent(t, filepath.Join(content, "f"), "kept")
	wantError(t, "allocate", dirs.Resize(t.Context(), id, Size{Bytes: 8192, Allocated: true}), ErrInvalid)
	wantError(t, "resize an unknown volume", dirs.Resize(t.Context(), newID(t, Dir), Size{Bytes: 1}), ErrNotFound)
	_, err := dirs.Size(t.Context(), newID(t, Dir))
	wantError(t, "the size of an unknown volume", err, ErrNotFound)
}

func TestDirsSnapshotsAndCopies(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, 8192)
	write(t, filepath.Join(content, "f"), "before")
	snapshot, clone, restored := newID(t, Dir), newID(t, Dir), newID(t, Dir)
	for range 2 {
		must(t, "snapshot", dirs.CreateSnapshot(t.Context(), snapshot, id))
		must(t, "clone", dirs.Create(t.Context(), clone, Size{Bytes: 8192}, Origin{VolumeID: id}))
		write(t, filepath.Join(content, "f"), "after")
	}
	must(t, "restore", dirs.Create(t.Context(), restored, Size{Bytes: 16384}, Origin{SnapshotID: snapshot}))
	for _, copied := range []string{clone, restored} {
		wantContent(t, filepath.Join(dirs.data.path, volumesDir, copied+".dir", contentDir, "f"), "before")
	}
	must(t, "delete the source", dirs.Delete(t.Context(), id))
	for range 2 {
		must(t, "delete the snapshot", dirs.DeleteSnapshot(t.Context(), snapshot))
	}
	if got := names(t, dirs.data.path, snapshotsDir) + names(t, dirs.data.path, trashDir); got != "" {
		t.Errorf("snapshots that were deleted left %q", got)
	}
	must(t, "delete the clone", dirs.Delete(t.Context(), clone))
	wantDir(t, dirs, restored, 16384)
}

func TestDirsCopyRefuses(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	id, content := createDir(t, dirs, 8192)
	snapshot := newID(t, Dir)
	must(t, "snapshot", dirs.CreateSnapshot(t.Context(), snapshot, id))
	for _, test := range []struct {
		name  string
		given Origin
		size  int64
		want  error
	}{
		{name: "an unknown volume", given: Origin{VolumeID: newID(t, Dir)}, size: 8192, want: ErrNotFound},
		{name: "a snapshot by the name of a volume", given: Origin{SnapshotID: id}, size: 8192, want: ErrNotFound},
		{name: "a volume and a snapshot", given: Origin{VolumeID: id, SnapshotID: snapshot}, size: 8192, want: ErrInvalid},
		{name: "less than there is", given: Origin{VolumeID: id}, size: 4096, want: ErrInvalid},
		{name: "a volume of another kind", given: Origin{VolumeID: newID(t, Image)}, size: 8192, want: ErrNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantError(t, "create", dirs.Create(t.Context(), newID(t, Dir), Size{Bytes: test.size}, test.given), test.want)
		})
	}
	if os.Geteuid() == 0 {
		must(t, "make a device", unix.Mknod(filepath.Join(content, "null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))))
		wantError(t, "snapshot with a device", dirs.CreateSnapshot(t.Context(), newID(t, Dir), id), ErrRefused)
		must(t, "remove", os.Remove(filepath.Join(content, "null")))
	}
	deep := content
	for range maximumDepth/50 + 1 {
		deep = filepath.Join(deep, strings.Repeat("d/", 50))
	}
	must(t, "mkdir", os.MkdirAll(deep, 0o700))
	wantError(t, "snapshot of what is too deep", dirs.CreateSnapshot(t.Context(), newID(t, Dir), id), ErrRefused)
	if got := names(t, dirs.data.path, volumesDir) + " " + names(t, dirs.data.path, snapshotsDir) + " " + names(t, dirs.data.path, trashDir); got != id+".dir "+snapshot+".dir " {
		t.Errorf("calls that were refused left %q", got)
	}
}

func TestDirsRefuseOtherIDs(t *testing.T) {
	dirs := openDirs(t, t.TempDir())
	outside := canary(t, "kept")
	must(t, "link", os.Symlink(outside, filepath.Join(dirs.data.path, "escaped.dir")))
	id := newID(t, Dir)
	for _, id := range []string{"", "..", "../escaped", "a/b", "/etc", ".hidden", id + "/", id + "\x00", "./" + id, strings.Repeat("x", 4096), newID(t, Image)} {
		wantError(t, "create "+id, dirs.Create(t.Context(), id, Size{Bytes: 1}, Origin{}), ErrNotFound)
		wantError(t, "resize "+id, dirs.Resize(t.Context(), id, Size{Bytes: 1}), ErrNotFound)
		wantError(t, "snapshot "+id, dirs.CreateSnapshot(t.Context(), id, id), ErrNotFound)
		wantError(t, "snapshot of "+id, dirs.CreateSnapshot(t.Context(), newID(t, Dir), id), ErrNotFound)
		wantError(t, "delete "+id, dirs.Delete(t.Context(), id), nil)
		wantError(t, "delete snapshot "+id, dirs.DeleteSnapshot(t.Context(), id), nil)
		_, err := dirs.Check(t.Context(), id, Size{})
		wantError(t, "check "+id, err, ErrNotFound)
	}
}

func TestDirsCheck(t *testing.T) {
	for _, test := range []struct {
		name     string
		given    func(t *testing.T, data, dir string)
		want     string
		severity Severity
	}{
		{name: "whole", given: func(*testing.T, string, string) {}},
		{name: "removed", want: "DirectoryMissing", severity: DataLoss, given: func(t *testing.T, _, dir string) { must(t, "remove", os.RemoveAll(dir)) }},
		{name: "its content removed", want: "DirectoryMissing", severity: DataLoss, given: func(t *testing.T, _, dir string) { must(t, "remove", os.Remove(filepath.Join(dir, contentDir))) }},
		{name: "a link instead", want: "DirectoryReplaced", severity: Inaccessible, given: func(t *testing.T, _, dir string) {
			must(t, "move", os.Rename(dir, dir+".moved"))
			must(t, "link", os.Symlink(dir+".moved", dir))
		}},
		{name: "for too few bytes", want: "DirectorySizeWrong", severity: Degraded, given: func(t *testing.T, _, dir string) { write(t, filepath.Join(dir, sizeFile), "4095\n") }},
		{name: "for no number of bytes", want: "DirectorySizeWrong", severity: Degraded, given: func(t *testing.T, _, dir string) { write(t, filepath.Join(dir, sizeFile), "") }},
		{name: "without its size", want: "DirectorySizeWrong", severity: Degraded, given: func(t *testing.T, _, dir string) { must(t, "remove", os.Remove(filepath.Join(dir, sizeFile))) }},
		{name: "no data directory", want: "DataDirectoryUnreachable", severity: Inaccessible, given: func(t *testing.T, data, _ string) { must(t, "move", os.Rename(data, data+".moved")) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			dirs := openDirs(t, data)
			id, _ := createDir(t, dirs, 4096)
			test.given(t, data, filepath.Join(data, volumesDir, id+".dir"))
			problems, err := dirs.Check(t.Context(), id, Size{Bytes: 4096})
			wantProblem(t, problems, err, test.want, test.severity)
		})
	}
}

// A link in the place of anything of a volume is not followed by any call.
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
			test.plant(t, filepath.Join(dirs.data.path, volumesDir), filepath.Dir(content))
			for what, err := range map[string]error{
				"clone":    dirs.Create(t.Context(), newID(t, Dir), Size{Bytes: 8192}, Origin{VolumeID: id}),
				"snapshot": dirs.CreateSnapshot(t.Context(), newID(t, Dir), id),
				"stage":    n.Stage(t.Context(), id, n.staging(), StageOptions{}),
			} {
				wantError(t, what, err, ErrRefused)
			}
			_ = dirs.Resize(t.Context(), id, Size{Bytes: 8192})
			_ = dirs.Delete(t.Context(), id) // takes the link, or refuses: the canaries tell
			must(t, "empty the trash", n.EmptyTrash(t.Context()))
		})
	}
}
