// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/report/comparison"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func newReportCompareCommand() *cobra.Command {
	dir := ""
	command := &cobra.Command{
		Use:   "compare REPORTS --report-dir DIR",
		Short: "Write a page that compares the published reports of drivers",
		Long: `Write index.html, a page that compares the drivers of a folder of published reports, REPORTS/SUITE/DRIVER/report.yaml,
where SUITE is the version of csi-topo, or unreleased. It shows the drivers by conformance profile and by area, and the
findings about each. The directory also gets a badge of each driver and a copy of its folder, which the page links to:
it needs no network, and can be served from anywhere.
Nothing is written if a report was changed, or does not name the driver's vendor and the suite that ran. Reports of this
version of csi-topo must also be complete, as report verify requires.`,
		Example: `  csi-topo report compare reports --report-dir _report/drivers`,
		Args:    exactly(1),
		RunE: func(command *cobra.Command, paths []string) error {
			entries, err := comparison.Read(paths[0], verifyKept)
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

// verifyKept returns an error for each reason why a published report cannot be compared.
func verifyKept(path string) error {
	r, err := report.ReadFile(path)
	if err != nil {
		return err
	}
	if version, _ := suite.Version(); r.Suite.Version == version {
		return verify(path, "")
	}
	return errors.Join(report.CheckDigest(path), conformance.VerifyOlder(r))
}
