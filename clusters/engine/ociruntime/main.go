// SPDX-License-Identifier: Apache-2.0

// Ociruntime wraps runc on hosts whose bounding set lacks CAP_SYS_RESOURCE.
//
// There runc refuses every privileged container, because its configuration requests all capabilities. This program
// removes that capability from the files that runc reads, and then executes runc. It imports only the standard library,
// so that it can be built from its sources alone.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "ociruntime:", err)
		os.Exit(1)
	}
}

// run returns only if runc could not be started.
func run(args []string) error {
	if err := rewrite(parse(args[1:])); err != nil {
		return err
	}
	runc, err := exec.LookPath("runc")
	if err != nil {
		return fmt.Errorf("finding runc: %w", err)
	}
	return syscall.Exec(runc, append([]string{"runc"}, args[1:]...), os.Environ())
}

func rewrite(c invocation) error {
	switch c.command {
	case "create", "run":
		return dropFromBundle(c.bundle)
	case "exec":
		if c.process != "" {
			return dropFromProcess(c.process)
		}
	}
	return nil
}
