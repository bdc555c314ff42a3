package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
)

func newReportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report FILE...",
		Short: "Print a report.yaml, or several side by side, as Markdown",
		Long: `Print a report.yaml as Markdown, for a pull request or the summary of a GitHub workflow: what needs attention first, with
its messages, and all cases in a table. Several reports of one driver, such as one for each Kubernetes minor, are shown side
by side, each under the name of its directory: first the cases that need attention or whose verdicts differ.`,
		Example: `  csi-topo report _report/report.yaml
  csi-topo report _report/1.35/report.yaml _report/1.36/report.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) > 1 {
				return printMatrix(command.OutOrStdout(), args)
			}
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

// printMatrix prints the reports of the files side by side. One that cannot be read is named, after those that can.
func printMatrix(out io.Writer, files []string) error {
	var columns []report.Column
	var problems []error
	for _, file := range files {
		r, err := report.ReadFile(file)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		columns = append(columns, report.Column{Name: filepath.Base(filepath.Dir(file)), Report: r})
	}
	if len(columns) > 0 {
		problems = append(problems, report.MarkdownMatrix(out, columns))
	}
	return errors.Join(problems...)
}
