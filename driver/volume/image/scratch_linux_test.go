// SPDX-License-Identifier: Apache-2.0

package image

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// mountScratch mounts a separate file system for a data directory until the test ends, and returns its path.
func mountScratch(t *testing.T, fsType string, bytes int64, flags ...string) string {
	t.Helper()
	privileged.NeedDisks(t)
	store := openImages(t, t.TempDir())
	t.Cleanup(func() { wantDetached(t, store.data.Path) })
	n := anotherNode(t, store, "scratch")
	id := createImage(t, store, volume.Size{Bytes: bytes})
	must(t, "mount a scratch file system", n.Stage(t.Context(), id, n.staging(), volume.StageOptions{FSType: fsType, MountFlags: flags}))
	return n.staging()
}

// fill writes to the file until the disk is full, and returns how many bytes it wrote.
func fill(t *testing.T, path string) (written int64, err error) {
	t.Helper()
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_CLOEXEC, 0o600)
	must(t, "open the file to fill", err)
	defer unix.Close(fd)
	chunk := make([]byte, mebi)
	for i := range chunk {
		chunk[i] = byte(i)
	}
	for {
		n, err := unix.Write(fd, chunk)
		written += int64(n)
		if err == nil && n < len(chunk) {
			continue
		}
		if err == nil && written%(16*mebi) == 0 {
			err = unix.Fdatasync(fd)
		}
		if err != nil {
			return written, err
		}
	}
}
