// SPDX-License-Identifier: Apache-2.0

// Package privileged skips tests that need root if they cannot run, or fails them if CSI_TOPO_PRIVILEGED=1 is set, as in
// CI. Only tests import it.
package privileged

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// variable is the environment variable that is 1 if no test may be skipped.
const variable = "CSI_TOPO_PRIVILEGED"

// Need skips a test that mounts, changes owners or becomes another user, which only root may do.
func Need(t testing.TB) {
	t.Helper()
	skip(t, user(os.Geteuid()))
}

// NeedDisks skips a test that makes file systems on loop devices if root, loop devices or a program is missing.
func NeedDisks(t testing.TB) {
	t.Helper()
	skip(t, disks())
}

// HasDisks reports whether a test can also do what NeedDisks requires. If it cannot, the test's log explains why.
func HasDisks(t testing.TB) bool {
	t.Helper()
	missing := disks()
	if missing == nil {
		return true
	}
	if required() {
		t.Errorf("%s=1 is set, and a part of the test cannot run: %v", variable, missing)
	}
	t.Logf("left out: %v", missing)
	return false
}

func skip(t testing.TB, missing error) {
	t.Helper()
	switch {
	case missing == nil:
	case required():
		t.Fatalf("%s=1 is set, and the test cannot run: %v", variable, missing)
	default:
		t.Skip(missing)
	}
}

func required() bool { return os.Getenv(variable) == "1" }

// user returns an error for a user other than root.
func user(id int) error {
	if id != 0 {
		return fmt.Errorf("needs root, and runs as user %d", id)
	}
	return nil
}

// disks returns an error that names everything that is missing.
func disks() error {
	missing := []error{user(os.Geteuid())}
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		missing = append(missing, fmt.Errorf("needs loop devices: %w", err))
	} else {
		missing = append(missing, control.Close())
	}
	for _, program := range []string{"mkfs.xfs", "xfs_growfs", "mkfs.ext4", "resize2fs", "e2fsck", "blkid", "fsck"} {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, fmt.Errorf("needs xfsprogs, e2fsprogs and util-linux: %w", err))
		}
	}
	return errors.Join(missing...)
}
