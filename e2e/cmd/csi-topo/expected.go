// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// expected is the flag that says how cases are expected to end.
type expected struct {
	file     string
	verdicts report.Expected
}

func (e *expected) addTo(command *cobra.Command) {
	command.Flags().StringVar(&e.file, "expected", "", "the exit status is 0 if every case ends as in this report.yaml of an earlier run, a `file`, or its directory, and 1 if one ends otherwise, even if it passes")
	completeFlag(command, "expected", filesOr())
}

// read reads the file, if one was named, for a run of the tier.
func (e *expected) read(tier string) (err error) {
	if e.file != "" {
		e.verdicts, err = report.ReadExpected(e.file, tier, caseExists())
	}
	return err
}

// ended is the end of a command that ran cases: nil if its report, or what is expected of it, asks for exit status 0.
func (e expected) ended(out io.Writer, r *report.ConformanceReport) error {
	code := report.ExitCode(r)
	if e.file != "" {
		e.verdicts.Print(out, r, e.file)
		code = e.verdicts.ExitCode(r)
	}
	if code != report.ExitPassed {
		return exitStatus(code)
	}
	return nil
}
