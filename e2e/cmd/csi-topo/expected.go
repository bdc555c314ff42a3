// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// expected is the flag for the expected verdicts of cases.
type expected struct {
	file     string
	verdicts report.Expected
}

func (e *expected) addTo(command *cobra.Command) {
	command.Flags().StringVar(&e.file, "expected", "", "exit with status 0 if every case ends as in the report.yaml of an earlier run, a `file` or its directory, and with 1 if one ends differently, even if it passes")
	completeFlag(command, "expected", filesOr())
}

// read reads the file, if one was named, for a run of the tier.
func (e *expected) read(tier string) (err error) {
	if e.file != "" {
		e.verdicts, err = report.ReadExpected(e.file, tier, caseExists())
	}
	return err
}

// ended returns the error of a command that ran cases: nil if its report, or the expected verdicts, call for exit status 0.
// err is a failure outside the cases, such as in the clean-up after them.
func (e expected) ended(out io.Writer, r *report.ConformanceReport, err error) error {
	if r == nil {
		return err
	}
	code := report.ExitCode(r)
	if e.file != "" {
		e.verdicts.Print(out, r, e.file)
		code = e.verdicts.ExitCode(r)
	}
	switch {
	case err != nil && code == report.ExitFailed:
		return errors.Join(exitStatus(code), err)
	case err != nil || code == report.ExitPassed:
		return err
	default:
		return exitStatus(code)
	}
}
