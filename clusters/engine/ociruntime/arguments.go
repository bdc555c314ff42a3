// SPDX-License-Identifier: Apache-2.0

package main

import "strings"

// invocation is the part of runc's command line that determines which file it reads.
type invocation struct {
	command string // create, run, exec, …
	bundle  string // directory of config.json; "" is the working directory
	process string // the process file of exec
}

// parse reads runc's arguments up to the container's name; the rest belongs to the command inside the container.
func parse(args []string) invocation {
	var found invocation
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		if !strings.HasPrefix(name, "-") {
			if found.command != "" {
				break
			}
			found.command = name
			continue
		}
		if !joined && takesValue(name) && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch name {
		case "--bundle", "-bundle", "-b":
			found.bundle = value
		case "--process", "-process", "-p":
			found.process = value
		}
	}
	return found
}

// takesValue reports whether an option of runc, create, run or exec is followed by its
// value.
func takesValue(option string) bool {
	switch "-" + strings.TrimPrefix(strings.TrimPrefix(option, "-"), "-") {
	case "-root", "-log", "-log-format", "-criu", "-rootless", // of runc itself
		"-bundle", "-b", "-console-socket", "-pid-file", "-preserve-fds", "-pidfd-socket", // of create, run and exec
		"-cwd", "-env", "-e", "-user", "-u", "-additional-gids", "-g", "-process", "-p",
		"-process-label", "-apparmor", "-cap", "-c", "-cgroup":
		return true
	}
	return false
}
