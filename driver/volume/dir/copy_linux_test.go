// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// describe describes a tree completely, except for recent times.
func describe(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	must(t, "walk", filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stat := info.Sys().(*syscall.Stat_t)
		line := fmt.Sprintf("%s %s %d:%d %s", strings.TrimPrefix(path, root), info.Mode(), stat.Uid, stat.Gid, info.ModTime().UTC().Format(time.RFC3339Nano))
		switch info.Mode().Type() {
		case fs.ModeSymlink:
			where, err := os.Readlink(path)
			line += fmt.Sprintf(" -> %q (%v)", where, err)
		case 0:
			text, err := os.ReadFile(path)
			line += fmt.Sprintf(" %d %.8q (%v)", len(text), text, err)
		}
		for _, name := range []string{"user.colour", "trusted.colour", "security.capability"} {
			value := make([]byte, 64)
			if n, err := unix.Lgetxattr(path, name, value); err == nil {
				line += fmt.Sprintf(" %s=%q", name, value[:n])
			}
		}
		all = append(all, line)
		return nil
	}))
	slices.Sort(all)
	return all
}

// plantTree makes one of each type of file that a pod may leave.
func plantTree(t *testing.T, root string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(root, name) }
	write(t, at("file"), "text")
	must(t, "mkdir", os.MkdirAll(at("dir/below"), 0o755))
	write(t, at("dir/below/file"), "below")
	must(t, "sparse", os.Truncate(at("dir/below/file"), 8*mebi))
	must(t, "link", os.Link(at("file"), at("second name")))
	must(t, "link", os.Symlink("/etc/passwd", at("out")))
	must(t, "link", os.Symlink("../../..", at("dir/up")))
	must(t, "link", os.Symlink("nowhere", at("dangling")))
	must(t, "pipe", unix.Mkfifo(at("pipe"), 0o640))
	must(t, "socket", unix.Mknod(at("socket"), unix.S_IFSOCK|0o600, 0))
	must(t, "attribute", unix.Setxattr(at("file"), "user.colour", []byte("red"), 0))
	must(t, "attribute", unix.Setxattr(at("dir"), "user.colour", []byte("green"), 0))
	must(t, "mode", os.Chmod(at("dir/below/file"), 0o400))
	must(t, "mode", os.Chmod(at("dir/below"), 0o555))
	must(t, "mode", os.Chmod(at("dir"), 0o711|os.ModeSticky|os.ModeSetgid))
}

func TestDirsCopyEverything(t *testing.T) {
	privileged.Need(t)
	dirs := openDirs(t, t.TempDir())
	id, root := createDir(t, dirs, mebi)
	plantTree(t, root)
	write(t, filepath.Join(root, "theirs"), "")
	for _, name := range []string{"theirs", "out", "pipe", "dir"} {
		must(t, "give away", os.Lchown(filepath.Join(root, name), 1234, 5678))
	}
	must(t, "mode", os.Chmod(filepath.Join(root, "theirs"), 0o755|os.ModeSetuid))
	must(t, "attribute", unix.Setxattr(filepath.Join(root, "theirs"), "trusted.colour", []byte("blue"), 0))
	must(t, "own", os.Chown(root, 1234, 5678))
	must(t, "mode", os.Chmod(root, 0o2770|os.ModeSetgid))
	old := time.Date(2001, 2, 3, 4, 5, 6, 789, time.UTC)
	must(t, "age", os.Chtimes(filepath.Join(root, "file"), old, old))
	must(t, "age", os.Chtimes(root, old, old))

	clone := newID(t, volume.Dir)
	want := describe(t, root)
	must(t, "clone", dirs.Create(t.Context(), clone, volume.Size{Bytes: mebi}, volume.Origin{VolumeID: id}))
	copied := filepath.Join(dirs.data.Path, datadir.Volumes, clone+".dir", contentDir)
	if got := describe(t, copied); !slices.Equal(got, want) {
		t.Errorf("the copy is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	info, err := os.Stat(filepath.Join(copied, "dir/below/file"))
	must(t, "stat", err)
	if blocks := info.Sys().(*syscall.Stat_t).Blocks * 512; blocks > mebi {
		t.Errorf("a file of holes became %d bytes of blocks", blocks)
	}
	write(t, filepath.Join(copied, "file"), "of the copy")
	wantContent(t, filepath.Join(root, "second name"), "text")
}

// TestDirsCopyWithoutRights checks that a controller without privileges copies the files it may read, and grants no
// rights.
func TestDirsCopyWithoutRights(t *testing.T) {
	data := newDataDirOfNobody(t)
	var dirs *Provisioner
	id, clone, refused := newID(t, volume.Dir), newID(t, volume.Dir), newID(t, volume.Dir)
	root := filepath.Join(data, datadir.Volumes, id+".dir", contentDir)
	asNobody(t, func() {
		var err error
		if dirs, err = Open(data, nil); err == nil {
			err = dirs.Create(context.Background(), id, volume.Size{Bytes: mebi}, volume.Origin{})
		}
		wantError(t, "create", err, nil)
	})
	write(t, filepath.Join(root, "readable"), "text")
	must(t, "mode", os.Chmod(filepath.Join(root, "readable"), 0o755|os.ModeSetuid|os.ModeSetgid))
	must(t, "link", os.Symlink("readable", filepath.Join(root, "link")))
	must(t, "mkdir", os.Mkdir(filepath.Join(root, "dir"), 0o755))
	write(t, filepath.Join(root, "dir", "f"), "text")
	must(t, "mode", errors.Join(os.Chmod(filepath.Join(root, "dir", "f"), 0o444), os.Chmod(filepath.Join(root, "dir"), 0o555)))
	asNobody(t, func() {
		wantError(t, "clone", dirs.Create(context.Background(), clone, volume.Size{Bytes: mebi}, volume.Origin{VolumeID: id}), nil)
	})
	copied := filepath.Join(data, datadir.Volumes, clone+".dir", contentDir)
	wantContent(t, filepath.Join(copied, "readable"), "text")
	wantContent(t, filepath.Join(copied, "dir", "f"), "text")
	info, err := os.Stat(filepath.Join(copied, "readable"))
	must(t, "stat", err)
	if info.Mode() != 0o755 {
		t.Errorf("a file that could not be given away has mode %s: it gives the rights of its new owner", info.Mode())
	}

	write(t, filepath.Join(root, "dir", "secret"), "text")
	asNobody(t, func() {
		err := dirs.Create(context.Background(), refused, volume.Size{Bytes: mebi}, volume.Origin{VolumeID: id})
		wantError(t, "clone what cannot be read", err, volume.ErrRefused)
		if err != nil && !strings.Contains(err.Error(), "dir/secret") {
			t.Errorf("the refusal does not say what cannot be read: %v", err)
		}
	})
	wantNoFile(t, filepath.Join(data, datadir.Volumes, refused+".dir"))
}
