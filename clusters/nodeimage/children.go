// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"os/exec"
	"syscall"
	"time"
)

// endWithChildren puts cmd in a separate process group, and terminates the whole group when the context ends: `go build`
// and debootstrap start other programs, which must not survive Ctrl-C in a terminal.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
}
