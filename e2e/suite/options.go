// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"io"
	"time"
)

// Options say which cases run, how, and where the report goes. The zero Options run every case and write no report.
type Options struct {
	// ReportDir is the directory for the report; it is created if it does not exist. Empty writes none.
	ReportDir string
	// Focus and Skip are regular expressions, each matched with a case's id, its area and its text: a case must match
	// one of Focus, if there is any, and none of Skip.
	Focus, Skip []string
	// Label is a label filter in Ginkgo's grammar, such as "req:TR-07 && !slow". Empty selects every case.
	Label string
	// Requirements are ids of the register: a case must verify one of them, if there is any. Cases are ids of cases: a
	// case must be one of them, if there is any.
	Requirements, Cases []string
	// Shuffle orders all cases by the seed, not only their areas.
	Shuffle bool
	// Seed orders the areas: the same seed gives the same order. 0 takes one from the clock.
	Seed int64
	// Timeout ends the whole run as an interrupt does: running cases are cut and cleaned up, and the report is written. 0
	// sets no limit.
	Timeout time.Duration
	// Command is the command line that runs the cases, and Again the same without the flags that select cases: followed
	// by the id of a case, it runs that case again. The report has both; empty leaves them out.
	Command, Again string
	// Out gets the progress, the failures and the closing table; nil discards them.
	Out io.Writer
	// Verbose prints a line for every case as it ends, and not only for cases that did not pass.
	Verbose bool
	// ProgressEvery is the time without output after which a line reports the progress of the run; 0 prints no such line. On
	// a terminal it is the interval at which the line at the bottom changes.
	ProgressEvery time.Duration
}
