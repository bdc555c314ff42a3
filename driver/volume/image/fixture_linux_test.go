// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

const (
	mebi       = int64(1) << 20
	volumeSize = int64(MinimumBytes)
)

func newID(t *testing.T, kind volume.Kind) string {
	t.Helper()
	id, err := volume.NewID(kind)
	must(t, "make an id", err)
	return id
}

func openImages(t *testing.T, dir string) *Provisioner {
	t.Helper()
	images, err := Open(dir, nil)
	must(t, "open the images", err)
	return images
}

// createImage makes a volume and returns its id.
func createImage(t *testing.T, images *Provisioner, size volume.Size) string {
	t.Helper()
	id := newID(t, volume.Image)
	must(t, "create", images.Create(t.Context(), id, size, volume.Origin{}))
	return id
}

// node is one node's view: its own mounter on the shared images, and its own paths.
type node struct {
	*Mounter
	dir string
}

func (n node) staging() string { return filepath.Join(n.dir, "staging") }
func (n node) target() string  { return filepath.Join(n.dir, "target") }

// newNode returns a node with one volume, and removes its mounts and loop devices after the test.
func newNode(t *testing.T) (n node, images *Provisioner, id string) {
	t.Helper()
	privileged.NeedDisks(t)
	images = openImages(t, t.TempDir())
	t.Cleanup(func() { wantDetached(t, images.data.Path) })
	return anotherNode(t, images, "node"), images, createImage(t, images, volume.Size{Bytes: volumeSize})
}

// anotherNode returns a node with the id and a staging path. After the test, everything below its directory is unmounted.
func anotherNode(t *testing.T, images *Provisioner, nodeID string) node {
	t.Helper()
	n := node{Mounter: NewMounter(volume.MounterConfig{DataDir: images.data.Path, NodeID: nodeID}), dir: t.TempDir()}
	must(t, "make the staging path", os.Mkdir(n.staging(), 0o750))
	t.Cleanup(func() {
		unmountBelow(t, n.dir)
		detachBelow(t, images.data.Path)
	})
	return n
}

// unmountBelow unmounts everything below the directory, the last mount first.
func unmountBelow(t *testing.T, dir string) {
	t.Helper()
	for _, at := range mountsBelow(t, dir) {
		if err := mount.Unmount(context.WithoutCancel(t.Context()), at); err != nil {
			t.Error(err)
		}
	}
}

// mountsBelow lists the mount points below the directory, the last first.
func mountsBelow(t *testing.T, dir string) []string {
	t.Helper()
	table, err := os.ReadFile("/proc/self/mountinfo")
	must(t, "read the mount table", err)
	var below []string
	for line := range strings.Lines(string(table)) {
		if at := strings.Fields(line)[4]; strings.HasPrefix(at, dir+"/") {
			below = append([]string{at}, below...)
		}
	}
	return below
}

// wantDetached waits until no image below the directory has a loop device. A process that makes a mount namespace at that
// moment briefly has a copy of the mount.
func wantDetached(t *testing.T, dir string) {
	t.Helper()
	var left []string
	err := wait.PollUntilContextTimeout(context.WithoutCancel(t.Context()), 10*time.Millisecond, 10*time.Second, true, func(context.Context) (bool, error) {
		left = attachedBelow(t, dir)
		return len(left) == 0, nil
	})
	if err != nil {
		t.Errorf("these images are still attached to loop devices: %v", left)
	}
}

// attachedBelow lists the images below the directory that are attached to loop devices.
func attachedBelow(t *testing.T, dir string) []string {
	t.Helper()
	var below []string
	for _, image := range devicesBelow(t, dir) {
		below = append(below, image)
	}
	return below
}

// devicesBelow returns the attached images below the directory, by loop device.
func devicesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	must(t, "list loop devices", err)
	below := map[string]string{}
	for _, file := range files {
		backing, err := os.ReadFile(file)
		if err == nil && strings.HasPrefix(string(backing), dir+"/") {
			below[filepath.Base(filepath.Dir(filepath.Dir(file)))] = strings.TrimSpace(string(backing))
		}
	}
	return below
}

// detachBelow detaches the loop devices that would otherwise stay.
func detachBelow(t *testing.T, dir string) {
	t.Helper()
	for name := range devicesBelow(t, dir) {
		device, err := openDevice(name, os.O_RDONLY)
		must(t, "open the device", err)
		if err := errors.Join(detach(device), device.Close()); err != nil {
			t.Error(err)
		}
	}
}

func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func wantError(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s holds %.40q (%v), want %q", path, text, err, want)
	}
}

func wantNoFile(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there (%v)", path, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, "write", os.WriteFile(path, []byte(text), 0o600))
}
