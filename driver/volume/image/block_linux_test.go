// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// writeDevice writes to a block device, and flushes it to disk.
func writeDevice(t *testing.T, path, text string) {
	t.Helper()
	device, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, "open the device", err)
	_, err = device.WriteAt([]byte(text), 4096)
	must(t, "write to the device", errors.Join(err, device.Sync(), device.Close()))
}

func wantDevice(t *testing.T, path, want string) {
	t.Helper()
	info, err := os.Lstat(path)
	must(t, "look at the device", err)
	if info.Mode().Type() != os.ModeDevice {
		t.Fatalf("%s is no block device, its mode is %s", path, info.Mode())
	}
	device, err := os.Open(path)
	must(t, "open the device", err)
	defer device.Close()
	got := make([]byte, len(want))
	_, err = device.ReadAt(got, 4096)
	if err != nil || string(got) != want {
		t.Errorf("the device holds %q (%v), want %q", got, err, want)
	}
}

func TestBlockKeepsDataFromStageToStage(t *testing.T) {
	n, images, id := newNode(t)
	block, staged := volume.PublishOptions{Block: true}, volume.StageOptions{Block: true}
	second := filepath.Join(n.dir, "target2")
	for range 2 {
		must(t, "stage", n.Stage(t.Context(), id, n.staging(), staged))
		must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), block))
		must(t, "publish a second time", n.Publish(t.Context(), id, n.staging(), second, block))
	}
	writeDevice(t, n.target(), "kept")
	wantDevice(t, second, "kept")
	if devices := devicesBelow(t, images.data.Path); len(devices) != 1 {
		t.Errorf("the image is attached to %v, want one device", devices)
	}
	for _, path := range []string{n.staging(), n.target()} {
		usage, err := n.Usage(t.Context(), id, path)
		if want := (volume.Usage{Block: true, TotalBytes: volumeSize}); err != nil || usage != want {
			t.Errorf("the usage at %s is %+v (%v), want %+v", path, usage, err, want)
		}
	}
	wantError(t, "unstage what is published", n.Unstage(t.Context(), id, n.staging()), volume.ErrRefused)
	wantDevice(t, n.target(), "kept")
	for _, target := range []string{n.target(), n.target(), second} {
		must(t, "unpublish", n.Unpublish(t.Context(), id, target))
		wantNoFile(t, target)
	}
	for range 2 {
		must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
		wantNoFile(t, devicePath(n.staging()))
		wantDetached(t, images.data.Path)
	}

	other := anotherNode(t, images, "other")
	must(t, "stage on another node", other.Stage(t.Context(), id, other.staging(), staged))
	must(t, "publish there", other.Publish(t.Context(), id, other.staging(), other.target(), block))
	wantDevice(t, other.target(), "kept")
}

func TestBlockRefuses(t *testing.T) {
	n, images, id := newNode(t)
	block := volume.StageOptions{Block: true}
	elsewhere := filepath.Join(n.dir, "staging2")
	must(t, "mkdir", os.Mkdir(elsewhere, 0o750))
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), block))
	wantError(t, "stage as a file system", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{}), volume.ErrIncompatible)
	wantError(t, "stage read-only", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true, ReadOnly: true}), volume.ErrIncompatible)
	wantError(t, "stage at a second path", n.Stage(t.Context(), id, elsewhere, block), volume.ErrRefused)
	wantError(t, "publish as a file system", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{}), volume.ErrRefused)
	wantError(t, "publish read-only what is staged writable", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{Block: true, ReadOnly: true}), volume.ErrRefused)
	wantNoFile(t, n.target())
	must(t, "unstage from where it is not", n.Unstage(t.Context(), id, elsewhere))
	wantDevice(t, devicePath(n.staging()), "\x00")
	w := createImage(t, images, volume.Size{Bytes: volumeSize})
	wantError(t, "stage another volume there", n.Stage(t.Context(), w, n.staging(), block), volume.ErrIncompatible)
	must(t, "unstage the other volume there", n.Unstage(t.Context(), w, n.staging()))
	wantDevice(t, devicePath(n.staging()), "\x00")
}

func TestBlockReadOnly(t *testing.T) {
	n, _, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true}))
	writeDevice(t, devicePath(n.staging()), "kept")
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
	for range 2 {
		must(t, "stage read-only", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true, ReadOnly: true}))
		must(t, "publish read-only", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{Block: true, ReadOnly: true}))
	}
	wantDevice(t, n.target(), "kept")
	if device, err := os.OpenFile(n.target(), os.O_RDWR, 0); err == nil {
		_, err := device.WriteAt([]byte("lost"), 4096)
		if err := errors.Join(err, device.Sync()); err == nil {
			t.Error("a device that is only read could be written to")
		}
		must(t, "close", device.Close())
	}
	wantDevice(t, n.target(), "kept")
}

func TestBlockExpand(t *testing.T) {
	n, images, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true}))
	must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{Block: true}))
	must(t, "resize", images.Resize(t.Context(), id, volume.Size{Bytes: 2 * volumeSize}))
	for _, path := range []string{n.target(), n.staging()} {
		size, err := n.Expand(t.Context(), id, path)
		if err != nil || size != 2*volumeSize {
			t.Errorf("Expand answered %d bytes (%v), want %d", size, err, 2*volumeSize)
		}
		usage, err := n.Usage(t.Context(), id, path)
		if err != nil || usage.TotalBytes != 2*volumeSize {
			t.Errorf("the device has %d bytes (%v), want %d", usage.TotalBytes, err, 2*volumeSize)
		}
	}
}

// TestBlockGoesOnWithItsOwnDevice checks that a node finds a device that it attached before it was killed, and leaves
// devices of other nodes alone.
func TestBlockGoesOnWithItsOwnDevice(t *testing.T) {
	for _, test := range []struct {
		name     string
		nodeID   string
		readOnly bool
		want     error
	}{
		{name: "its own", nodeID: "node"},
		{name: "its own, attached read-only", nodeID: "node", readOnly: true},
		{name: "another node's", nodeID: "other", want: volume.ErrRefused},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, images, id := newNode(t)
			lost := anotherNode(t, images, test.nodeID)
			device, err := lost.attach(t.Context(), id, test.readOnly, true)
			must(t, "attach", err)
			must(t, "close", device.Close())
			must(t, "resize", images.Resize(t.Context(), id, volume.Size{Bytes: 2 * volumeSize}))

			must(t, "unstage from a path that it never was at", lost.Unstage(t.Context(), createImage(t, images, volume.Size{Bytes: 4096}), n.staging()))
			if devices := devicesBelow(t, images.data.Path); len(devices) != 1 {
				t.Fatalf("the image is attached to %v, want the device of before", devices)
			}
			err = within(t, func(ctx context.Context) error {
				return n.Stage(ctx, id, n.staging(), volume.StageOptions{Block: true})
			})
			wantError(t, "stage", err, test.want)
			if err == nil {
				writeDevice(t, devicePath(n.staging()), "kept")
				if usage, err := n.Usage(t.Context(), id, n.staging()); err != nil || usage.TotalBytes != 2*volumeSize {
					t.Errorf("the device has %d bytes (%v), want %d", usage.TotalBytes, err, 2*volumeSize)
				}
			}
			must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
			left := 0
			if test.want != nil {
				left = 1
			}
			if devices := devicesBelow(t, images.data.Path); len(devices) != left {
				t.Errorf("the image is attached to %v, want %d devices", devices, left)
			}
		})
	}
}

// TestBlockStagingFileOfSomeoneElse checks that the file for the device is made and
// removed as carefully as a target path.
func TestBlockStagingFileOfSomeoneElse(t *testing.T) {
	outside := canary(t, "file")
	n, images, id := newNode(t)
	for _, plant := range []func(path string) error{
		func(path string) error { return os.Symlink(filepath.Join(outside, "file"), path) },
		func(path string) error { return os.Mkdir(path, 0o750) },
	} {
		must(t, "plant", plant(devicePath(n.staging())))
		wantError(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true}), volume.ErrInvalid)
		if mounts := append(mountsBelow(t, outside), mountsBelow(t, n.dir)...); len(mounts) > 0 {
			t.Errorf("there are mounts at %v", mounts)
		}
		must(t, "remove", os.Remove(devicePath(n.staging())))
		must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
		wantDetached(t, images.data.Path)
	}
}

func TestLabelsTellNodesAndVolumesApart(t *testing.T) {
	a, b := NewMounter(volume.MounterConfig{NodeID: "a"}), NewMounter(volume.MounterConfig{NodeID: "b"})
	v, w := newID(t, volume.Image), newID(t, volume.Image)
	labels := map[string]bool{a.label(v): true, a.label(w): true, b.label(v): true, b.label(w): true}
	if len(labels) != 4 {
		t.Errorf("two nodes and two volumes have the labels %v", labels)
	}
	for label := range labels {
		if len(label) >= unix.LO_NAME_SIZE || !strings.HasSuffix(label, v) && !strings.HasSuffix(label, w) {
			t.Errorf("the label %q does not fit the kernel's %d bytes, or does not tell the volume", label, unix.LO_NAME_SIZE)
		}
	}
}

// TestBlockTakesDownADeviceThatWasDetached checks that a device is unpublished and unstaged even after its image was
// detached by hand (losetup -D).
func TestBlockTakesDownADeviceThatWasDetached(t *testing.T) {
	n, images, id := newNode(t)
	must(t, "stage", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true}))
	must(t, "publish", n.Publish(t.Context(), id, n.staging(), n.target(), volume.PublishOptions{Block: true}))
	detachBelow(t, images.data.Path)
	must(t, "unpublish", n.Unpublish(t.Context(), id, n.target()))
	must(t, "unstage", n.Unstage(t.Context(), id, n.staging()))
	wantNoFile(t, n.target())
	wantNoFile(t, devicePath(n.staging()))
	must(t, "stage again", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{Block: true}))
}
