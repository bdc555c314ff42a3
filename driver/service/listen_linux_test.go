// SPDX-License-Identifier: Apache-2.0

package service

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/internal/privileged"
)

// TestSocketInAMountThatEveryUserMayWriteTo checks that the socket may be in a mount such as an emptyDir.
func TestSocketInAMountThatEveryUserMayWriteTo(t *testing.T) {
	privileged.Need(t)
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=2777,size=64k"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	path := filepath.Join(dir, "csi.sock")
	listen(t, path)
	mustBeServed(t, path)
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(below, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix://" + filepath.Join(below, "csi.sock")); err == nil {
		t.Error("a directory in the mount is none itself, and was not refused")
	}
}
