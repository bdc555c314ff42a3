// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// layout is the directory of one driver: with the data directory of its controller, the state of its node, the socket,
// and the staging and target paths.
type layout string

func (l layout) data() string           { return filepath.Join(string(l), "data") }
func (l layout) records() string        { return filepath.Join(l.data(), "records.db") }
func (l layout) image(id string) string { return filepath.Join(l.data(), "volumes", id+".img") }
func (l layout) usages() string         { return filepath.Join(string(l), "usages") }
func (l layout) endpoint() string       { return "unix://" + filepath.Join(string(l), "s") }

// pods returns the directory of the paths that the kubelet would choose: the kubelet
// makes staging, and the driver makes target.
func (l layout) pods() string    { return filepath.Join(string(l), "pods") }
func (l layout) staging() string { return filepath.Join(l.pods(), "staging") }
func (l layout) target() string  { return filepath.Join(l.pods(), "target") }

// below returns a path relative to the directory.
func (l layout) below(path string) string {
	// Found by the directory's name, as the root of a mount is relative to its file system.
	if _, rest, found := strings.Cut(path, filepath.Base(string(l))+"/"); found {
		return rest
	}
	return path
}

// newLayout makes a directory for a driver. The test removes it in the end, with any mount or loop device that a failed
// test left.
func newLayout(t *testing.T) layout {
	t.Helper()
	// t.TempDir has the name of the test in it, too long for the path of a socket.
	dir, err := os.MkdirTemp(os.Getenv(parentDir), "")
	must(t, err)
	dir, err = filepath.EvalSymlinks(dir)
	must(t, err)
	at := layout(dir)
	t.Cleanup(func() {
		if err := at.remove(); err != nil {
			t.Errorf("cleaning up after the test: %v", err)
		}
	})
	must(t, os.MkdirAll(at.staging(), 0o750))
	return at
}

// remove removes the directory, after its mounts and loop devices.
func (l layout) remove() error {
	return errors.Join(l.unmountAll(), l.detachAll(), os.RemoveAll(string(l)))
}

func (l layout) unmountAll() error {
	found, err := mountsBelow(l)
	for _, mounted := range slices.Backward(found) {
		err = errors.Join(err, unix.Unmount(mounted.Mountpoint, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW))
	}
	return err
}

func (l layout) detachAll() error {
	found, err := loopsBelow(l)
	for _, loop := range found {
		device, failed := os.Open(filepath.Join("/dev", loop.name))
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		if failed := unix.IoctlSetInt(int(device.Fd()), unix.LOOP_CLR_FD, 0); failed != nil && !errors.Is(failed, unix.ENXIO) {
			err = errors.Join(err, failed)
		}
		err = errors.Join(err, device.Close())
	}
	return err
}
