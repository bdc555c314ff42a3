// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"io"
	"time"
)

// Options say which of the cases run, how, and where the report goes. The zero Options run every case and write no report.
type Options struct {
	// ReportDir is the directory that gets the report; it is made if it does not exist. Empty writes none.
	ReportDir string
	// Focus and Skip are regular expressions, each matched on a case's id, on its area and on its text: a case must match
	// one of Focus, if there is any, and none of Skip.
	Focus, Skip []string
	// Label is a label filter in Ginkgo's grammar, such as "req:TR-07 && !slow". Empty takes every case.
	Label string
	// Requirements are ids of the register: a case must verify one of them, if there is any. Cases are ids of cases: a
	// case must be one of them, if there is any.
	Requirements, Cases []string
	// Shuffle runs all cases in an order that follows from the seed, not only their areas.
	Shuffle bool
	// Seed orders the areas: the same seed, the same order. 0 takes one from the clock.
	Seed int64
	// Timeout ends the whole run as an interrupt does: what runs is cut and cleaned up, and the report is written. 0 is no
	// limit.
	Timeout time.Duration
	// Command is the command line that runs the cases, and Again the same without what chooses among them: with the id of a
	// case behind it, it runs that one again. The report has both; empty leaves them out.
	Command, Again string
	// Out gets the progress, the failures and the closing table; nil discards them.
	Out io.Writer
	// Verbose prints a line for every case as it ends, and not only for those that did not pass.
	Verbose bool
	// ProgressEvery is how long nothing is printed before a line says how far the run is; 0 says nothing. On a terminal of
	// the command it is how often the line at the bottom changes.
	ProgressEvery time.Duration
}
