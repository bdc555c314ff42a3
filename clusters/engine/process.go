// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// processesOf returns the processes of a program that were started with a file of dir among their arguments. Checking
// both avoids a mistake when a process id is reused.
func processesOf(name, dir string) []int {
	var found []int
	entries, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well-formed
	for _, entry := range entries {
		pid, err := strconv.Atoi(filepath.Base(entry))
		if err == nil && isProcessOf(pid, name, dir) {
			found = append(found, pid)
		}
	}
	return found
}

func isProcessOf(pid int, name, dir string) bool {
	// A process that has ended, even if it was not reaped yet, has no command line.
	line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
	return err == nil && isStartedFor(line, name, dir)
}

// isStartedFor reports whether a /proc/PID/cmdline is of the program with a file of dir among its arguments.
func isStartedFor(cmdline []byte, name, dir string) bool {
	args := bytes.Split(cmdline, []byte{0})
	if filepath.Base(string(args[0])) != name {
		return false
	}
	for _, arg := range args[1:] {
		if below(string(arg), dir) {
			return true
		}
	}
	return false
}
