package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/runner"
)

// addRunFlags gives a command that runs cases the flags that all such commands have.
func addRunFlags(command *cobra.Command, o *runner.Options) {
	flags := command.Flags()
	flags.StringVar(&o.ReportDir, "report-dir", "", "write report.yaml, junit.xml and calls.jsonl into this directory")
	flags.Int64Var(&o.Seed, "seed", 0, "what the order of the areas and generated cases follow from; 0 takes one from the clock")
}
