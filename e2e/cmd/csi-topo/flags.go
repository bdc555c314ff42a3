package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/runner"
)

// addRunFlags gives a command that runs cases the flags that all such commands have.
func addRunFlags(command *cobra.Command, o *runner.Options) {
	flags := command.Flags()
	flags.StringVar(&o.ReportDir, "report-dir", "", "write report.yaml and junit.xml into this directory")
	flags.StringArrayVar(&o.Focus, "focus", nil, "run only the cases whose id, area or text matches this regular expression; may be repeated")
	flags.Int64Var(&o.Seed, "seed", 0, "order the areas as this seed does; 0 takes one from the clock")
}
