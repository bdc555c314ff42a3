// SPDX-License-Identifier: Apache-2.0

// Command csi-topo shows whether a CSI driver puts volumes where Kubernetes asked, and what else of the topology parts
// of the CSI specification holds. This package is flags and wiring; `csi-topo --help` says what there is.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

func main() {
	os.Exit(supervise(func() int { return run(os.Args[1:], os.Stdout, os.Stderr) }))
}

// run is the program: it carries out the arguments, and returns the exit status that report.ExitCode documents, 2 being
// that of bad usage as well. An interrupt, and an output that nobody reads, end the command's context, not the
// process, so that what the command made is taken away again.
func run(args []string, out, errOut io.Writer) int {
	ctx, stop := suite.OnSignals(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	defer survivePipes()()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard) // what clients log there is not for the terminal

	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(onScreen(heard{out, lost}))
	errOut = foreign.OnlyPrintable(heard{errOut, lost})
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return report.ExitPassed
	}
	status := exitStatus(report.ExitError)
	if !errors.As(err, &status) || err.Error() != status.Error() { // clean-up may have failed besides
		fmt.Fprintf(errOut, "csi-topo: %s\n", sentence(err))
	}
	return int(status)
}

// exitStatus ends a command whose report has said all there is to say.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// ended is the end of a command that ran cases: nil if its report asks for exit status 0.
func ended(r *report.ConformanceReport) error {
	if code := report.ExitCode(r); code != report.ExitPassed {
		return exitStatus(code)
	}
	return nil
}

// sentence puts an error on one line.
func sentence(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\t' }), "; ")
}
