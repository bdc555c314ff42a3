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

// layout is a directory that has all that one driver has: the data directory of
// its controller, the state of its node, the socket, and the paths that volumes
// are brought to.
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

// below returns a path as it is in every such directory.
func (l layout) below(path string) string {
	// By its own name, as the root of a mount begins where its file system does.
	if _, rest, found := strings.Cut(path, filepath.Base(string(l))+"/"); found {
		return rest
	}
	return path
}

// newLayout makes a directory for a driver, which goes with the test, as does what
// the test left mounted or attached when it failed.
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

// remove removes the directory, and before that what is mounted and attached of it.
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
