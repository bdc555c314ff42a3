// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

func TestLoopMounterPublishReadOnly(t *testing.T) {
	n, _, id := newNode(t)
	second := filepath.Join(n.dir, "target2")
	readOnly := volume.PublishOptions{ReadOnly: true}
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{MountFlags: []string{"noexec", "noatime"}}))
	must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), readOnly))
	must(t, "publish again", n.Publish(t.Context(), id, n.staging(), n.target(), readOnly))
	wantError(t, "publish writable", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}), volume.ErrIncompatible)
	if err := os.WriteFile(filepath.Join(n.target(), "f"), nil, 0o600); !errors.Is(err, unix.EROFS) {
		t.Errorf("writing to a read-only target gave %v, want EROFS", err)
	}
	must(t, "publish a second time, writable", n.Publish(t.Context(), id, n.staging(), second, volume.PublishOptions{}))
	write(t, filepath.Join(second, "f"), "written")
	wantContent(t, filepath.Join(n.target(), "f"), "written")
	for _, path := range []string{n.target(), second} {
		var s unix.Statfs_t
		must(t, "statfs", unix.Statfs(path, &s))
		if s.Flags&unix.ST_NOEXEC == 0 || s.Flags&unix.ST_NOATIME == 0 {
			t.Errorf("%s has the flags %#x: it lost noexec or noatime, which it is staged with", path, s.Flags)
		}
	}
}

func TestLoopMounterPublishRefuses(t *testing.T) {
	n, images, id := newNode(t)
	w := createImage(t, images, volume.Size{Bytes: volumeSize})
	refused := func(what string, id, staging string, o volume.PublishOptions, want error) {
		t.Helper()
		wantError(t, what, n.Publish(t.Context(), id, staging, n.target(), o), want)
		wantNoFile(t, n.target())
	}
	refused("publish what is not staged", id, n.staging(), volume.PublishOptions{}, volume.ErrRefused)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	refused("publish another volume's staging path", w, n.staging(), volume.PublishOptions{}, volume.ErrRefused)
	refused("publish an unknown volume", newID(t, volume.Image), n.staging(), volume.PublishOptions{}, volume.ErrNotFound)
	refused("publish as a block device", id, n.staging(), volume.PublishOptions{Block: true}, volume.ErrRefused)

	must(t, "mkdir", os.Mkdir(n.target(), 0o750))
	must(t, "mount something", unix.Mount("tmpfs", n.target(), "tmpfs", 0, ""))
	wantError(t, "publish where something is mounted", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}), volume.ErrIncompatible)
	must(t, "unpublish where something else is mounted", n.Unpublish(t.Context(), id, n.target()))
	if mounts := mountsBelow(t, n.dir); len(mounts) != 2 {
		t.Errorf("there are mounts at %v, want the staging path and what was mounted by someone else", mounts)
	}
}

// TestLoopMounterTargetsOfSomeoneElse checks that foreign files at a target path are
// neither mounted on, nor followed, nor removed.
func TestLoopMounterTargetsOfSomeoneElse(t *testing.T) {
	outside := canary(t, "dir/kept", "file")
	for _, test := range []struct {
		name  string
		plant func(path string) error
		fits  bool // for the directory of a file system
	}{
		{name: "a link to a directory", plant: func(path string) error { return os.Symlink(filepath.Join(outside, "dir"), path) }},
		{name: "a link to a file", plant: func(path string) error { return os.Symlink(filepath.Join(outside, "file"), path) }},
		{name: "a link to nothing", plant: func(path string) error { return os.Symlink(filepath.Join(outside, "none"), path) }},
		{name: "a file that holds something", plant: func(path string) error { return os.WriteFile(path, []byte("kept"), 0o600) }},
		{name: "a pipe", plant: func(path string) error { return unix.Mkfifo(path, 0o600) }},
		{name: "a directory that holds something", fits: true, plant: func(path string) error { return os.MkdirAll(filepath.Join(path, "kept"), 0o750) }},
	} {
		for _, block := range []bool{false, true} {
			t.Run(test.name+map[bool]string{true: ", for a block device"}[block], func(t *testing.T) {
				n, _, id := newNode(t)
				must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: block}))
				must(t, "plant", test.plant(n.target()))
				before, err := os.Lstat(n.target())
				must(t, "look", err)
				published := n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{Block: block})
				if test.fits && !block {
					must(t, "publish", published)
				} else if !block || test.name != "a file that holds something" {
					wantError(t, "publish", published, volume.ErrInvalid)
				}
				wantError(t, "unpublish", n.Unpublish(t.Context(), id, n.target()), volume.ErrInvalid)
				if after, err := os.Lstat(n.target()); err != nil || !os.SameFile(before, after) {
					t.Errorf("it is not there any more (%v)", err)
				}
				wantNoFile(t, filepath.Join(outside, "none"))
				if mounts := mountsBelow(t, outside); len(mounts) > 0 {
					t.Errorf("there are mounts at %v", mounts)
				}
			})
		}
	}
}

// TestLoopMounterTargetBelowALink checks that links in the path to the target are
// followed, as with a kubelet whose directory is on another disk.
func TestLoopMounterTargetBelowALink(t *testing.T) {
	n, _, id := newNode(t)
	must(t, "link", os.Symlink(n.dir, n.dir+".link"))
	t.Cleanup(func() { must(t, "remove the link", os.Remove(n.dir+".link")) })
	target := filepath.Join(n.dir+".link", "target")
	for range 2 {
		must(t, "stage", n.Stage(t.Context(), id, filepath.Join(n.dir+".link", "staging"), volume.StageOptions{}))
		must(t, "publish", n.Publish(t.Context(), id, n.staging(), target, volume.PublishOptions{}))
	}
	write(t, filepath.Join(n.target(), "f"), "")
	for range 2 {
		must(t, "unpublish", n.Unpublish(t.Context(), id, target))
	}
	wantNoFile(t, n.target())
}

func TestLoopMounterUnpublishUnknown(t *testing.T) {
	n, _, id := newNode(t)
	wantError(t, "unpublish an unknown volume", n.Unpublish(t.Context(), newID(t, volume.Image), n.target()), volume.ErrNotFound)
	must(t, "unpublish where nothing is", n.Unpublish(t.Context(), id, n.target()))
	must(t, "unpublish below nothing", n.Unpublish(t.Context(), id, filepath.Join(n.dir, "none", "target")))
	must(t, "mkdir", os.Mkdir(n.target(), 0o750))
	must(t, "unpublish what was made and not bound", n.Unpublish(t.Context(), id, n.target()))
	wantNoFile(t, n.target())
}

// TestLoopMounterMountsArePassedOn checks that mounts in a shared directory, as the
// kubelet's is with the node plugin, are passed on to its peers.
func TestLoopMounterMountsArePassedOn(t *testing.T) {
	for _, o := range []volume.StageOptions{{}, {Block: true}} {
		n, _, id := newNode(t)
		shared := filepath.Join(n.dir, "shared")
		must(t, "mkdir", os.MkdirAll(filepath.Join(shared, "staging"), 0o750))
		must(t, "bind", unix.Mount(shared, shared, "", unix.MS_BIND, ""))
		must(t, "share", unix.Mount("", shared, "", unix.MS_SHARED, ""))
		staging, target := filepath.Join(shared, "staging"), filepath.Join(shared, "target")
		must(t, "mkdir", os.MkdirAll(staging, 0o750))
		must(t, "stage", n.Stage(t.Context(), id, staging, o))
		must(t, "publish", n.Publish(t.Context(), id, staging, target, volume.PublishOptions{Block: o.Block}))
		at := staging
		if o.Block {
			at = devicePath(staging)
		}
		for _, path := range []string{at, target} {
			mounted, err := mount.At(path)
			if err != nil || mounted == nil || !strings.Contains(mounted.Optional, "shared:") {
				t.Errorf("the mount at %s is %+v (%v), want it shared", path, mounted, err)
			}
		}
		must(t, "unpublish", n.Unpublish(t.Context(), id, target))
		must(t, "unstage", n.Unstage(t.Context(), id, staging))
	}
}
