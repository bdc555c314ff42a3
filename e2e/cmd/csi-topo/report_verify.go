// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/report"
)

func newReportVerifyCommand() *cobra.Command {
	version := ""
	command := &cobra.Command{
		Use:   "verify REPORT...",
		Short: "Check that reports are fit to be published",
		Long: `Check that reports are fit to be published: that each is as csi-topo wrote it, names the driver's
vendor and the suite that ran, has all cases of its tier, judges the core profile without a filter or a waiver,
and has totals that follow from its cases. Whether the driver passes does not matter. The exit status is 1 if something
is wrong.`,
		Example: `  csi-topo report verify _report --suite-version v0.1.0`,
		Args:    atLeast(1),
		RunE: func(command *cobra.Command, paths []string) error {
			var problems []error
			for _, path := range paths {
				if err := verify(path, version); err != nil {
					problems = append(problems, fmt.Errorf("%s:\n%w", path, err))
					continue
				}
				fmt.Fprintf(command.OutOrStdout(), "%s is complete and agrees with its cases\n", path)
			}
			if len(problems) > 0 {
				fmt.Fprintln(command.ErrOrStderr(), errors.Join(problems...))
				return exitStatus(report.ExitFailed)
			}
			return nil
		},
	}
	command.Flags().StringVar(&version, "suite-version", "", "the `version` of csi-topo that must have written the reports, such as v0.1.0; any by default")
	return command
}

// verify returns an error for each reason why the report cannot be published. version is the required version of the suite;
// "" is any.
func verify(path, version string) error {
	r, err := report.ReadFile(path)
	if err != nil {
		return err
	}
	cases, err := casesOf(r.Environment.Tier)
	if err != nil {
		return err
	}
	if version != "" && r.Suite.Version != version {
		err = fmt.Errorf("csi-topo %s wrote it: want %s", r.Suite.Version, version)
	}
	return errors.Join(report.CheckDigest(path), err, conformance.Verify(r, cases))
}

func newReportPublishCommand() *cobra.Command {
	dir := ""
	command := &cobra.Command{
		Use:   "publish REPORT --report-dir DIR",
		Short: "Write a report without the driver's texts",
		Long: `Write a report.yaml that others may see. Of the driver's answers, it keeps only the name and version, the capabilities
and the codes: no messages, ids, evidence, calls or names of zones. The vendor's profile, without secrets, and the
command line stay in it, as others need them to repeat the run: read both before you publish them.`,
		Example: `  csi-topo report publish _report --report-dir public`,
		Args:    exactly(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			if err := report.CheckDigest(paths[0]); err != nil {
				return err
			}
			r, err := report.ReadFile(paths[0])
			if err != nil {
				return err
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("making the directory for the report: %w", err)
			}
			return report.WriteYAML(dir, conformance.Publish(r))
		},
	}
	command.Flags().StringVar(&dir, "report-dir", "", "the `directory` for report.yaml")
	if err := command.MarkFlagRequired("report-dir"); err != nil {
		panic(err) // the flag does not exist
	}
	return command
}
