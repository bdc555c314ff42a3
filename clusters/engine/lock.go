// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockRetry is the interval between attempts to take a lock that another process holds.
const lockRetry = 100 * time.Millisecond

// lock is an advisory lock on a file. The kernel releases it when the process ends, so that a killed process is not
// counted as a user.
type lock struct{ file *os.File }

// lockFile waits for a shared or an exclusive lock until the context ends.
func lockFile(ctx context.Context, path string, exclusive bool) (*lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the engine's lock: %w", err)
	}
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for {
		err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
		if err == nil {
			return &lock{file: file}, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("locking %s: %w", path, err), file.Close())
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("waiting for another process to release %s: %w", path, ctx.Err()), file.Close())
		}
	}
}

// leave gives up a shared lock, and reports whether no other process shares it.
func (l *lock) leave() (last bool, err error) {
	defer l.release()
	// A refused conversion has already released the shared lock.
	err = syscall.Flock(int(l.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("counting the engine's users by %s: %w", l.file.Name(), err)
	}
	return true, nil
}

// release gives up the lock by closing its file.
func (l *lock) release() { _ = l.file.Close() }
