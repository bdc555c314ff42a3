// SPDX-License-Identifier: Apache-2.0

package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/screen"
)

// addRunFlags adds the flags that all commands that run cases have.
func addRunFlags(command *cobra.Command, o *suite.Options) {
	flags := command.Flags()
	flags.StringVar(&o.ReportDir, "report-dir", "", "write report.yaml, junit.xml, report.html and calls.jsonl into this `directory`")
	flags.BoolVarP(&o.Verbose, "verbose", "v", false, "print a line for every case, not only for those that do not pass")
	flags.BoolVar(&o.Shuffle, "shuffle", false, "let the seed order all cases, not only their areas")
	flags.DurationVar(&o.Timeout, "timeout", 0, "end the run after this `duration`, as Ctrl-C does: running cases are interrupted and cleaned up, and the report is written; 0 means no limit")
	flags.Int64Var(&o.Seed, "seed", 0, "seed for the order of the areas, and for generated requests; 0 takes one from the clock")
}

// printTo makes the run print to the command's output, and more often on a terminal than in a log.
func printTo(command *cobra.Command, o *suite.Options) {
	const onScreen, inLog = time.Second, 10 * time.Second
	o.Out, o.ProgressEvery = command.OutOrStdout(), inLog
	if _, ok := o.Out.(*screen.Screen); ok {
		o.ProgressEvery = onScreen
	}
}
