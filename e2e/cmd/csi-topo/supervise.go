// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// supervisedVariable marks a process as the child of supervise: its value is the parent's process id.
const supervisedVariable = "CSI_TOPO_SUPERVISED"

// supervise runs the program as a child in its own process group, and passes signals on only to it. A terminal sends Ctrl-C
// to every process of its foreground group: the docker and go commands that the program runs would end at once, with their
// requests still in flight, and the program could not know what to undo. So only the program gets the signal.
func supervise(program func() int) int {
	if os.Getenv(supervisedVariable) == strconv.Itoa(os.Getppid()) {
		defer acknowledge(os.NewFile(acknowledgements, "acknowledgements"))()
		return program()
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintf(os.Stderr, "csi-topo: finding this program: %v\n", err)
		return report.ExitError
	}
	// This precedes the start of the child: a signal in between must not end only this process.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, ending()...)

	runtime.LockOSThread() // The child ends with the thread that started it: see ownGroup.
	defer runtime.UnlockOSThread()
	child := exec.Command(self, os.Args[1:]...)
	child.Args[0] = os.Args[0]
	child.Env = append(os.Environ(), supervisedVariable+"="+strconv.Itoa(os.Getpid()))
	fromChild, toParent, err := os.Pipe()
	if err != nil {
		fmt.Fprintf(os.Stderr, "csi-topo: making a pipe: %v\n", err)
		return report.ExitError
	}
	defer func() { _ = fromChild.Close() }()
	child.ExtraFiles = []*os.File{toParent} // the first of them is acknowledgements
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.SysProcAttr = ownGroup()
	if err := child.Start(); err != nil {
		fmt.Fprintf(os.Stderr, "csi-topo: starting: %v\n", err)
		return report.ExitError
	}
	_ = toParent.Close() // the child's own stays open
	go passOn(signals, acknowledged(fromChild), child.Process.Signal)
	return exitOf(child.Wait())
}

// exitOf returns the child's exit status, or ExitError if it did not exit.
func exitOf(err error) int {
	var ended *exec.ExitError
	switch {
	case err == nil:
		return report.ExitPassed
	case errors.As(err, &ended) && ended.Exited():
		return ended.ExitCode()
	default:
		fmt.Fprintf(os.Stderr, "csi-topo: %v\n", err)
		return report.ExitError
	}
}
