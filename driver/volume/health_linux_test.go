// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

// shutDown stops the file system at the path as an error of its disk would
// (XFS_IOC_GOINGDOWN, EXT4_IOC_SHUTDOWN).
func shutDown(t *testing.T, path string) {
	t.Helper()
	const request, withoutLog = 0x8004587d, uint32(2)
	dir, err := os.Open(path)
	must(t, "open", err)
	defer dir.Close()
	how := withoutLog
	must(t, "shut down", ioctl(dir, request, unsafe.Pointer(&how)))
}

// breakFileSystem lets an ext4 find an error.
func breakFileSystem(t *testing.T, n node, id string) {
	t.Helper()
	found, err := n.find(id, n.staging())
	must(t, "find", err)
	defer found.Close()
	must(t, "trigger an error", os.WriteFile(filepath.Join("/sys/fs/ext4", filepath.Base(found.device.Name()), "trigger_fs_error"), []byte("test"), 0o600))
}

func TestLoopMounterCheckAt(t *testing.T) {
	for _, test := range []struct {
		name  string
		with  StageOptions
		given func(t *testing.T, n node, id string)
		want  string
	}{
		{name: "staged and published"},
		{name: "staged and published read-only", with: StageOptions{ReadOnly: true}},
		{name: "staged and published as a block device", with: StageOptions{Block: true}},
		{name: "not published any more", want: "NotPublished", given: func(t *testing.T, n node, id string) { must(t, "unpublish", n.Unpublish(t.Context(), id, n.target())) }},
		{name: "not staged any more", want: "NotStaged", given: func(t *testing.T, n node, id string) { must(t, "unstage", n.Unstage(t.Context(), id, n.staging())) }},
		{name: "detached", with: StageOptions{Block: true}, want: "NotStaged", given: func(t *testing.T, n node, id string) {
			must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
			detachBelow(t, n.images.data.path)
		}},
		{name: "image removed", want: "ImageMissing", given: func(t *testing.T, n node, id string) { must(t, "delete", n.images.Delete(t.Context(), id)) }},
		{name: "no data directory", want: "DataDirectoryUnreachable", given: func(t *testing.T, n node, _ string) {
			path := n.images.data.path
			must(t, "move", os.Rename(path, path+".moved"))
			t.Cleanup(func() { must(t, "move back", os.Rename(path+".moved", path)) })
		}},
		{name: "xfs shut down", want: "FileSystemShutDown", given: func(t *testing.T, n node, _ string) { shutDown(t, n.staging()) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, _, id := newNode(t)
			if test.with.ReadOnly {
				must(t, "make a file system", n.Stage(t.Context(), id, n.staging(), StageOptions{}))
				must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			}
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), test.with))
			must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), PublishOptions{Block: test.with.Block}))
			if test.given != nil {
				test.given(t, n, id)
			}
			target := n.target()
			if test.want == "NotStaged" {
				target = ""
			}
			problems, err := n.CheckAt(t.Context(), id, n.staging(), target)
			wantProblem(t, problems, err, test.want, Inaccessible)
			if strings.HasPrefix(test.want, "Not") || strings.HasPrefix(test.want, "File") {
				problems, err = n.CheckAt(t.Context(), id, "", "") // the image alone is sound
				wantProblem(t, problems, err, "", 0)
			}
		})
	}
	images := ImagesAt(t.TempDir(), nil)
	for _, id := range []string{"v", "", newID(t, Dir)} {
		_, err := NewLoopMounter(images, MounterConfig{}).CheckAt(t.Context(), id, "", "")
		wantError(t, "check "+id, err, ErrNotFound)
	}
}

// An ext4 that met an error has it told, and it is repaired by being brought again.
func TestLoopMounterCheckAtTellsErrors(t *testing.T) {
	n, images, id := newNode(t)
	o := StageOptions{FSType: "ext4", MountFlags: []string{"errors=remount-ro"}}
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
	breakFileSystem(t, n, id)
	problems, err := n.CheckAt(t.Context(), id, n.staging(), n.staging())
	if err != nil || !slices.ContainsFunc(problems, func(p Problem) bool { return p.Reason == "FileSystemErrors" && p.Severity == Degraded }) {
		t.Errorf("found %+v (%v), want FileSystemErrors", problems, err)
	}
	if len(problems) != len(distinct(problems)) {
		t.Errorf("found %+v: a reason is there twice", problems)
	}
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
	wantDetached(t, images.data.path)
	must(t, "stage again", n.Stage(t.Context(), id, n.staging(), o))
	problems, err = n.CheckAt(t.Context(), id, n.staging(), "")
	wantProblem(t, problems, err, "", 0)
}

func TestCheckFileSystem(t *testing.T) {
	for _, test := range []struct {
		name       string
		mount, all string // options of the mount, and of the file system
		path       string
		want       string
	}{
		{name: "as it should be", mount: "rw,relatime", all: "rw,errors=remount-ro"},
		{name: "read-only, as asked", mount: "ro,relatime", all: "ro"},
		{name: "read-only", mount: "rw,relatime", all: "ro,errors=remount-ro", want: "FileSystemReadOnly"},
		{name: "read-only in an emergency", mount: "rw,relatime", all: "rw,emergency_ro", want: "FileSystemReadOnly"},
		{name: "shut down", mount: "rw,relatime", all: "rw,shutdown", want: "FileSystemShutDown"},
		{name: "not to be read", mount: "rw", all: "rw", path: "/nowhere/at/all", want: "FileSystemShutDown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == "" {
				path = t.TempDir()
			}
			problems := checkFileSystem(&mountinfo.Info{Options: test.mount, VFSOptions: test.all}, path)
			wantProblem(t, problems, nil, test.want, Inaccessible)
		})
	}
}

// A file system that stopped is whole again when it is brought again.
func TestLoopMounterRepairsByStaging(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		t.Run(fsType, func(t *testing.T) {
			n, images, id := newNode(t)
			o := StageOptions{FSType: fsType}
			must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
			write(t, filepath.Join(n.staging(), "f"), "kept")
			dir, err := os.Open(n.staging())
			must(t, "open", err)
			must(t, "sync", unix.Syncfs(int(dir.Fd())))
			must(t, "close", dir.Close())
			shutDown(t, n.staging())
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			wantDetached(t, images.data.path)
			must(t, "stage again", n.Stage(t.Context(), id, n.staging(), o))
			wantContent(t, filepath.Join(n.staging(), "f"), "kept")
			problems, err := n.CheckAt(t.Context(), id, n.staging(), "")
			wantProblem(t, problems, err, "", 0)
		})
	}
}

func TestCheckStorage(t *testing.T) {
	requireLoopDevices(t)
	data := filepath.Join(mountScratch(t, "ext4", 16*mebi), "data")
	loops := NewLoopMounter(ImagesAt(data, nil), MounterConfig{})
	dirs := NewDirMounter(DirsAt(data, nil), MounterConfig{})
	both := Mounters{Image: loops, Dir: dirs}
	for _, made := range []bool{false, true} {
		if made {
			must(t, "mkdir", os.Mkdir(data, 0o750)) // but no controller was there yet
		}
		problems, err := both.CheckStorage(t.Context())
		wantProblem(t, problems, err, "DataDirectoryUnreachable", Inaccessible)
	}
	_, err := OpenDirs(data, nil)
	must(t, "open", err)
	problems, err := loops.CheckStorage(t.Context())
	wantProblem(t, problems, err, "", 0)
	problems, err = dirs.CheckStorage(t.Context())
	wantProblem(t, problems, err, "NoProjectQuota", Degraded)
}
