// SPDX-License-Identifier: Apache-2.0

package main

import "syscall"

// ownGroup also interrupts the child when this process is killed, so that the child
// still takes away what it made.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
