// SPDX-License-Identifier: Apache-2.0

// Command csi-topo shows whether a CSI driver places volumes where Kubernetes asked, and whether it meets the other
// topology parts of the CSI specification. This package is flags and wiring; `csi-topo --help` lists the commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/klog/v2"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/foreign"
)

func main() {
	os.Exit(supervise(func() int { return run(os.Args[1:], os.Stdout, os.Stderr) }))
}

// run carries out the arguments, and returns the exit status that report.ExitCode documents; 2 is also for bad usage. An
// interrupt, or an output without a reader, cancels the command's context instead of ending the process, so that everything
// that the command created is removed.
func run(args []string, out, errOut io.Writer) int {
	ctx, stop := suite.OnSignals(context.Background(), ending()...)
	defer stop()
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	defer survivePipes()()
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard) // clients' logs are not for the terminal

	root := newRootCommand()
	root.SetArgs(args)
	printed := &heard{Writer: out, lost: lost}
	root.SetOut(onScreen(printed))
	errOut = foreign.OnlyPrintable(&heard{Writer: errOut, lost: lost})
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = printed.failure()
	}
	if err == nil {
		return report.ExitPassed
	}
	status := exitStatus(report.ExitError)
	if !errors.As(err, &status) || err.Error() != status.Error() { // clean-up may have failed as well
		said := strings.TrimPrefix(sentence(err), status.Error()+"; ")
		fmt.Fprintf(errOut, "csi-topo: %s\n", said)
	}
	return int(status)
}

// exitStatus is the error of a command whose report says everything.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// sentence puts an error on one line.
func sentence(err error) string {
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\t' }), "; ")
	if before, meant, found := strings.Cut(text, "; Did you mean this?; "); found { // cobra's
		text = before + ": did you mean " + strings.ReplaceAll(meant, "; ", " or ") + "?"
	}
	return text
}
