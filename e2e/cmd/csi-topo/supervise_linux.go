// SPDX-License-Identifier: Apache-2.0

package main

import "syscall"

// ownGroup returns attributes that start the child in its own process group, and interrupt it if this process is killed, so
// that it can still clean up.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
