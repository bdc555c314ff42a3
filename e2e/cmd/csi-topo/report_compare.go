// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report/comparison"
)

func newReportCompareCommand() *cobra.Command {
	dir := ""
	command := &cobra.Command{
		Use:   "compare REPORTS --report-dir DIR",
		Short: "Write a page that compares the published reports of drivers",
		Long: `Write index.html, a page that compares the drivers of a folder of published reports, REPORTS/SUITE/DRIVER/report.yaml,
where SUITE is the version of csi-topo, or unreleased. It shows the drivers by conformance profile and by area, and what
each of them was found to do. Beside it are a badge of each driver and a copy of its folder, which the page links to: the
directory needs no network, and can be put anywhere.
Nothing is written unless report verify accepts all of the reports.`,
		Example: `  csi-topo report compare reports --report-dir _report/drivers`,
		Args:    exactly(1),
		RunE: func(command *cobra.Command, paths []string) error {
			entries, err := comparison.Read(paths[0], func(path string) error { return verify(path, "") })
			if err != nil {
				return err
			}
			if err := comparison.WriteDir(dir, paths[0], entries); err != nil {
				return err
			}
			_, err = fmt.Fprintf(command.OutOrStdout(), "%d reports are compared in %s\n", len(entries), dir)
			return err
		},
	}
	command.Flags().StringVar(&dir, "report-dir", "", "the `directory` for the page")
	if err := command.MarkFlagRequired("report-dir"); err != nil {
		panic(err) // the flag does not exist
	}
	return command
}
