package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
)

func newReportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report FILE",
		Short: "Print a report.yaml as Markdown",
		Long: `Print a report.yaml as Markdown, for a pull request or the summary of a GitHub workflow: what needs attention first, with
its messages, and all cases in a table.`,
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			r, err := report.ReadFile(args[0])
			if errors.Is(err, fs.ErrNotExist) { // worth a line on a summary page
				fmt.Fprintln(command.OutOrStdout(), "### No report: the run ended before its first case")
			}
			if err != nil {
				return err
			}
			return report.Markdown(command.OutOrStdout(), r)
		},
	}
}
