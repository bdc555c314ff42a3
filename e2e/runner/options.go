// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"context"
	"io"
	"time"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// Options is what a run needs besides its cases.
type Options struct {
	// Tier is "spec" or "cluster", as the report names it.
	Tier string
	// ReportDir is the directory that gets the report; it is made if it does not exist. Empty writes none.
	ReportDir string
	// Focus and Skip are regular expressions, each matched on a case's id, on its area and on its text: a case must match
	// one of Focus, if there is any, and none of Skip.
	Focus, Skip []string
	// Label is a Ginkgo label filter, such as "req:TR-07 && !slow". Empty takes every case.
	Label string
	// Requirements are ids of the register: a case must verify one of them, if there is any. Cases are ids of cases: a
	// case must be one of them, if there is any.
	Requirements, Cases []string
	// Shuffle runs all cases in an order that follows from the seed, not only their areas.
	Shuffle bool
	// Seed orders the areas: the same seed, the same order. 0 takes one from the clock.
	Seed int64
	// Out gets the progress, the failures and the closing table.
	Out io.Writer
	// Verbose prints a line for every case as it ends, and not only for those that did not pass.
	Verbose bool
	// ProgressEvery is how long nothing is printed before a line says how far the run is; 0 says nothing. On a terminal of
	// the command it is how often the line at the bottom changes.
	ProgressEvery time.Duration
	// Prepare makes what the cases need, once the filters have been found to leave some. Its error is the message of
	// every case's verdict, error. Nil prepares nothing.
	Prepare func(context.Context) error
	// Chosen is told the ids of the cases that will run, in the order of the run, before the first of them. Nil is not.
	Chosen func(ids []string)
	// Progress tells how many cases have ended and are still to be reported, and the ids of those that run, where they do
	// not run one after another. Nil tells of none.
	Progress func() (ahead int, running []string)
	// Describe fills in the driver and the environment, after the last case and before the report is written; it runs
	// after an interrupt as well. Nil leaves them empty.
	Describe func(*report.ConformanceReport)
}
