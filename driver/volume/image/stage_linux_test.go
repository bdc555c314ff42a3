// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

func TestLoopMounterStageRefuses(t *testing.T) {
	n, images, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	w := createImage(t, images, volume.Size{Bytes: volumeSize})
	other := anotherNode(t, images, "other")
	file := filepath.Join(other.dir, "file")
	write(t, file, "")
	link := filepath.Join(other.dir, "link")
	must(t, "link", os.Symlink(other.staging(), link))
	none := newID(t, volume.Image)
	tests := []struct {
		name string
		id   string
		path string
		with volume.StageOptions
		want error
	}{
		{name: "another file system", id: id, path: n.staging(), with: volume.StageOptions{FSType: "ext4"}, want: volume.ErrIncompatible},
		{name: "read-only instead", id: id, path: n.staging(), with: volume.StageOptions{ReadOnly: true}, want: volume.ErrIncompatible},
		{name: "ro among the flags", id: id, path: n.staging(), with: volume.StageOptions{MountFlags: []string{"ro"}}, want: volume.ErrIncompatible},
		{name: "a block device instead", id: id, path: n.staging(), with: volume.StageOptions{Block: true}, want: volume.ErrIncompatible},
		{name: "a path with another volume", id: w, path: n.staging(), want: volume.ErrIncompatible},
		{name: "a path with another volume, as a block device", id: w, path: n.staging(), with: volume.StageOptions{Block: true}, want: volume.ErrIncompatible},
		{name: "a second node at the same time", id: id, path: other.staging(), want: volume.ErrRefused},
		{name: "a second node at the same time, read-only", id: id, path: other.staging(), with: volume.StageOptions{ReadOnly: true}, want: volume.ErrRefused},
		{name: "a second node at the same time, as a block device", id: id, path: other.staging(), with: volume.StageOptions{Block: true}, want: volume.ErrRefused},
		{name: "read-only without a file system", id: w, path: other.staging(), with: volume.StageOptions{ReadOnly: true}, want: volume.ErrRefused},
		{name: "an unknown file system", id: w, path: other.staging(), with: volume.StageOptions{FSType: "btrfs"}, want: volume.ErrInvalid},
		{name: "a file system on a block device", id: w, path: other.staging(), with: volume.StageOptions{Block: true, FSType: "xfs"}, want: volume.ErrInvalid},
		{name: "mount flags of a block device", id: w, path: other.staging(), with: volume.StageOptions{Block: true, MountFlags: []string{"ro"}}, want: volume.ErrInvalid},
		{name: "rw of a volume that is only read", id: w, path: other.staging(), with: volume.StageOptions{ReadOnly: true, MountFlags: []string{"rw"}}, want: volume.ErrInvalid},
		{name: "a staging path that is not there", id: w, path: filepath.Join(other.dir, "none"), want: volume.ErrInvalid},
		{name: "a staging path whose parent is not there", id: w, path: filepath.Join(other.dir, "none", "none"), want: volume.ErrInvalid},
		{name: "a staging path that is a file", id: w, path: file, want: volume.ErrInvalid},
		{name: "a staging path that is a link", id: w, path: link, want: volume.ErrInvalid},
		{name: "a staging path that is a link, as a block device", id: w, path: link, with: volume.StageOptions{Block: true}, want: volume.ErrInvalid},
		{name: "a relative staging path", id: w, path: "staging", want: volume.ErrInvalid},
		{name: "the root", id: w, path: "/", want: volume.ErrInvalid},
		{name: "a volume without image", id: none, path: other.staging(), want: volume.ErrNotFound},
		{name: "a volume without image at a used path", id: none, path: n.staging(), want: volume.ErrNotFound},
		{name: "what is no id", id: "../volumes/" + w, path: other.staging(), want: volume.ErrNotFound},
	}
	before := devicesBelow(t, images.data.Path)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantError(t, "stage", within(t, func(ctx context.Context) error { return other.Stage(ctx, test.id, test.path, test.with) }), test.want)
			if mounts := mountsBelow(t, other.dir); len(mounts) > 0 {
				t.Errorf("a refused stage left mounts at %v", mounts)
			}
			if after := devicesBelow(t, images.data.Path); len(after) > len(before) {
				t.Errorf("a refused stage left loop devices: %v", after)
			}
			if entries, err := os.ReadDir(other.staging()); err != nil || len(entries) > 0 {
				t.Errorf("a refused stage left %v in the staging path (%v)", entries, err)
			}
		})
	}
}

// TestLoopMounterMountFlags checks that every flag takes effect, or makes the call
// fail; errors do not contain flags, which may be secret.
func TestLoopMounterMountFlags(t *testing.T) {
	for _, fsType := range []string{"xfs", "ext4"} {
		n, images, id := newNode(t)
		for _, test := range []struct {
			name  string
			given []string
			want  []string // among the mount's options
			fails bool
		}{
			{name: "of the mount", given: []string{"noatime", "nodev", "nosuid", "noexec"}, want: []string{"noatime", "nodev", "nosuid", "noexec"}},
			{name: "several in one", given: []string{"noatime,nodev", "defaults"}, want: []string{"noatime", "nodev"}},
			{name: "of the file system", given: []string{"sync", "discard"}, want: []string{"sync", "discard"}},
			{name: "read-only", given: []string{"ro"}, want: []string{"ro"}},
			{name: "unknown", given: []string{"noatime", "s3cret"}, fails: true},
			{name: "unknown with a value", given: []string{"s3cret=s3cret"}, fails: true},
			{name: "known to mount(8) only", given: []string{"nofail"}, fails: true},
			{name: "for mount(8) only", given: []string{"x-s3cret"}, fails: true},
			{name: "a wrong value", given: []string{"errors=s3cret", "logbsize=s3cret"}, fails: true},
			{name: "contradicting each other", given: []string{"noatime", "strictatime"}, fails: true},
			{name: "not going together", given: []string{"norecovery"}, fails: true},
		} {
			if fsType == "ext4" && test.name == "not going together" {
				continue // ext4 accepts it
			}
			t.Run(fsType+" "+test.name, func(t *testing.T) {
				err := n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: fsType, MountFlags: test.given})
				if !test.fails {
					must(t, "stage", err)
					mounted, err := mount.At(n.staging())
					must(t, "look", err)
					options := strings.Split(mounted.Options+","+mounted.VFSOptions, ",")
					for _, want := range test.want {
						if !strings.Contains(","+strings.Join(options, ",")+",", ","+want+",") {
							t.Errorf("mounted with %v, want %s", options, want)
						}
					}
					must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
					return
				}
				wantError(t, "stage", err, volume.ErrInvalid)
				if err != nil && strings.Contains(err.Error(), "s3cret") {
					t.Errorf("the error tells the flag: %v", err)
				}
				if mounts := mountsBelow(t, n.dir); len(mounts) > 0 {
					t.Errorf("a refused stage left mounts at %v", mounts)
				}
				wantDetached(t, images.data.Path)
			})
		}
	}
}

// TestLoopMounterUnmountsWhatIsMountedTwice checks that both mounts are removed if a volume is mounted twice, as after an
// interrupted call.
func TestLoopMounterUnmountsWhatIsMountedTwice(t *testing.T) {
	n, _, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	must(t, "mkdir", os.Mkdir(n.target(), 0o750))
	for range 2 {
		must(t, "bind", unix.Mount(n.staging(), n.target(), "", unix.MS_BIND, ""))
	}
	must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
	wantNoFile(t, n.target())
}

// TestLoopMounterSeesWhatCoversTheVolume checks that a mount over the volume at its
// path is neither mistaken for the volume nor removed with it.
func TestLoopMounterSeesWhatCoversTheVolume(t *testing.T) {
	n, _, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	must(t, "cover", unix.Mount("tmpfs", n.staging(), "tmpfs", 0, ""))
	write(t, filepath.Join(n.staging(), "f"), "of someone else")
	_, err := n.Usage(t.Context(), id, n.staging())
	wantError(t, "usage of what is covered", err, volume.ErrNotFound)
	wantError(t, "unstage what is covered", n.Unstage(t.Context(), id, n.staging()), volume.ErrRefused)
	wantContent(t, filepath.Join(n.staging(), "f"), "of someone else")
	must(t, "uncover", mount.Unmount(t.Context(), n.staging()))
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
}

// TestLoopMounterUnstagesNothingElse checks that a path with another volume, or with a foreign file, is left alone.
func TestLoopMounterUnstagesNothingElse(t *testing.T) {
	n, images, id := newNode(t)
	other := createImage(t, images, volume.Size{Bytes: volumeSize})
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}))
	for _, o := range []string{id, other} { // neither is at the paths below
		must(t, "unstage elsewhere", n.Unstage(t.Context(), o, n.dir))
		must(t, "unstage where nothing can be", n.Unstage(t.Context(), o, "/nowhere/at/all"))
	}
	must(t, "unstage the other volume", n.Unstage(t.Context(), other, n.staging()))
	must(t, "unpublish the other volume", n.Unpublish(t.Context(), other, n.target()))
	write(t, filepath.Join(n.target(), "f"), "still there")
	kept := filepath.Join(n.dir, "kept")
	must(t, "mkdir", os.Mkdir(kept, 0o750))
	write(t, devicePath(kept), "")
	write(t, devicePath(n.staging()), "") // a file of the pod with that name
	must(t, "link", os.Symlink(kept, filepath.Join(n.dir, "link")))
	must(t, "unstage the other volume there", n.Unstage(t.Context(), other, n.staging()))
	must(t, "unstage the other volume where a link leads", n.Unstage(t.Context(), other, filepath.Join(n.dir, "link")))
	for _, path := range []string{devicePath(kept), devicePath(n.staging())} {
		wantContent(t, path, "")
	}
	must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
	wantError(t, "unstage an unknown volume", n.Unstage(t.Context(), newID(t, volume.Image), n.staging()), volume.ErrNotFound)
}

// TestLoopMounterUnstageWithoutImage checks that a volume can be unstaged even if its image was deleted while in use.
func TestLoopMounterUnstageWithoutImage(t *testing.T) {
	for _, o := range []volume.StageOptions{{}, {Block: true}} {
		n, images, id := newNode(t)
		must(t, "stage", n.Stage(t.Context(), id, n.staging(), o))
		must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{Block: o.Block}))
		must(t, "delete", images.Delete(t.Context(), id))
		problems, err := n.CheckAt(t.Context(), id, n.staging(), n.target())
		wantProblem(t, problems, err, "ImageMissing", volume.Inaccessible)
		must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
		must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
		if mounts := mountsBelow(t, n.dir); len(mounts) > 0 {
			t.Errorf("there are mounts at %v", mounts)
		}
		wantDetached(t, images.data.Path)
		wantError(t, "unstage again", n.Unstage(t.Context(), id, n.staging()), volume.ErrNotFound)
	}
}

// TestLoopMounterStageWaitsForTheOtherNode checks that a call to stage waits until the other node has released the
// volume.
func TestLoopMounterStageWaitsForTheOtherNode(t *testing.T) {
	n, images, id := newNode(t)
	other := anotherNode(t, images, "other")
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}))
	time.AfterFunc(5*lockInterval, func() { _ = n.Unstage(context.WithoutCancel(t.Context()), id, n.staging()) })
	must(t, "stage on the other node", other.Stage(t.Context(), id, other.staging(), volume.StageOptions{}))
}
