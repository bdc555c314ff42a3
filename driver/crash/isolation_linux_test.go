// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/util/wait"
	mountutils "k8s.io/mount-utils"
)

const (
	// hasOwnMounts is set in the environment of a process that has a separate mount namespace, or cannot have one.
	hasOwnMounts = "CRASH_HAS_OWN_MOUNTS"
	// parentDir is set there to the parent of all drivers' directories.
	parentDir = "CRASH_PARENT_DIR"
)

// runTests runs the tests so that they leave nothing behind, even when they are interrupted and do not clean up.
func runTests(m *testing.M) (status int, err error) {
	if err := takeOwnMounts(); err != nil {
		return 1, err
	}
	parent, err := os.MkdirTemp("", "crash")
	if err != nil {
		return 1, err
	}
	if err := os.Setenv(parentDir, parent); err != nil {
		return 1, err
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, unix.SIGINT, unix.SIGTERM)
	go func() {
		<-interrupted
		removeInUse(layout(parent))
		os.Exit(1)
	}()
	status = m.Run()
	return status, os.RemoveAll(parent)
}

// removeInUse removes a directory that drivers may still be using: they fail one after
// the other as it goes.
func removeInUse(parent layout) {
	var failed error
	_ = wait.PollUntilContextTimeout(context.Background(), settleInterval, settleTimeout, true, func(context.Context) (bool, error) {
		failed = parent.remove()
		return failed == nil, nil
	})
	if failed != nil {
		fmt.Fprintln(os.Stderr, "cleaning up after an interrupted test:", failed)
	}
}

// takeOwnMounts restarts the program in a separate mount namespace, if root may have
// one. Its mounts end with the last process in it, and are never copied elsewhere.
func takeOwnMounts() error {
	if os.Geteuid() != 0 || os.Getenv(hasOwnMounts) != "" {
		return nil
	}
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	runtime.LockOSThread() // a namespace belongs to a thread until the program restarts
	if err := unix.Unshare(unix.CLONE_NEWNS); errors.Is(err, unix.EPERM) {
		return nil
	} else if err != nil {
		return fmt.Errorf("taking a mount namespace: %w", err)
	}
	if err := unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keeping mounts from spreading: %w", err)
	}
	if err := leaveMounts(); err != nil {
		return err
	}
	return fmt.Errorf("starting anew: %w", syscall.Exec(executable, os.Args, append(os.Environ(), hasOwnMounts+"=1")))
}

// leaveMounts unmounts the copies of mounts of other packages' tests. A loop device stays attached to its image as long
// as its file system is mounted in any namespace.
func leaveMounts() error {
	mounts, err := mountutils.ParseMountInfo("/proc/thread-self/mountinfo")
	if err != nil {
		return fmt.Errorf("listing the mounts of the namespace: %w", err)
	}
	var failed []error
	for _, m := range slices.Backward(mounts) {
		isTemporary := strings.HasPrefix(m.MountPoint, os.TempDir()+"/") || strings.HasPrefix(m.MountPoint, "/dev/shm/")
		if !isTemporary || !strings.HasPrefix(m.Source, "/dev/loop") {
			continue
		}
		if err := unix.Unmount(m.MountPoint, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW); err != nil {
			failed = append(failed, fmt.Errorf("leaving the mount at %s: %w", m.MountPoint, err))
		}
	}
	return errors.Join(failed...)
}
