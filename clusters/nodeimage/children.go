// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"os/exec"
	"syscall"
	"time"
)

// endWithChildren puts cmd in a process group of its own, and ends the whole group
// when the context does: `go build` and debootstrap run programs of their own, and a
// terminal's Ctrl-C must not leave them.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
}
