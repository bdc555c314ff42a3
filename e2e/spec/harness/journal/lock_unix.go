// SPDX-License-Identifier: Apache-2.0

//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock locks the file against other processes until this one has ended.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrInUse
	}
	return err
}
