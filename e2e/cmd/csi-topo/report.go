// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/report/page"
	"github.com/csi-topo/csi-topo/e2e/requirement"
)

func newReportCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "report",
		Short: "Show, join, compare and publish reports of earlier runs",
		Long: `Show, join, compare and publish reports of earlier runs. Name a report by its report.yaml, or by the directory that contains it.

If there are several reports, each is shown under the name of its directory; a report from merge counts as the reports that
it was joined from. Reports that cannot be read are listed after the others.`,
		Example: `  csi-topo report markdown _report`,
	}, newReportHTMLCommand(), newReportMarkdownCommand(), newReportMergeCommand(), newReportDiffCommand(), newReportBadgeCommand(), newReportVerifyCommand(), newReportPublishCommand(), newReportCompareCommand())
}

func newReportHTMLCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "html REPORT...",
		Short: "Print reports as one HTML page",
		Long: `Print reports as one self-contained HTML page: the reports of both tiers, or of several Kubernetes minors. The page of a
single run is already in its report directory.`,
		Example: `  csi-topo report html _report _report/spec > both.html`,
		Args:    atLeast(1),
		RunE: func(command *cobra.Command, args []string) error {
			runs, err := readRuns(args)
			if len(runs) == 0 {
				return err
			}
			return errors.Join(err, page.Write(command.OutOrStdout(), runs))
		},
	}
}

func newReportMarkdownCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "markdown REPORT...",
		Short: "Print a report, or several side by side, as Markdown",
		Long: `Print a report as Markdown, for a pull request or the summary of a GitHub workflow: the findings first, failures before errors
and warnings, each cause once, and then all cases in a table. It never exceeds GitHub's limit of 1 MiB.
Several reports are shown side by side: first the cases that need attention or have different verdicts.`,
		Example: `  csi-topo report markdown _report
  csi-topo report markdown _report/1.35 _report/1.36`,
		Args: atLeast(1),
		RunE: func(command *cobra.Command, args []string) error {
			runs, err := readRuns(args)
			return errors.Join(err, printMarkdown(command.OutOrStdout(), runs, args))
		},
	}
}

func printMarkdown(out io.Writer, runs []report.Run, paths []string) error {
	switch len(runs) {
	case 0: // worth a line on a summary page
		fmt.Fprintf(out, "### No report: none can be read from %s\n", strings.Join(paths, ", "))
		return nil
	case 1:
		return report.Markdown(out, runs[0].Report, requirement.Meaning)
	default:
		return report.MarkdownMatrix(out, runs)
	}
}

func newReportMergeCommand() *cobra.Command {
	dir := ""
	command := &cobra.Command{
		Use:   "merge REPORT... --report-dir DIR",
		Short: "Join reports, such as the reports of a matrix, in one directory",
		Long: `Join reports, such as the reports of a matrix of Kubernetes minors, in one directory: report.yaml with all of them, calls.jsonl
with all calls, and report.html, which shows them side by side.`,
		Example: `  csi-topo report merge _report/1.35 _report/1.36 --report-dir _report/all`,
		Args:    atLeast(1),
		RunE: func(_ *cobra.Command, args []string) error {
			runs, err := readRuns(args)
			if len(runs) == 0 {
				return err
			}
			if err := report.Merge(dir, runs); err != nil {
				return err
			}
			return errors.Join(err, page.WriteDir(dir, runs))
		},
	}
	command.Flags().StringVar(&dir, "report-dir", "", "the `directory` for the joined report")
	if err := command.MarkFlagRequired("report-dir"); err != nil {
		panic(err) // the flag does not exist
	}
	return command
}

func newReportDiffCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Print what changed from one report to another, as Markdown",
		Long: `Print what changed from one report to another, as Markdown: cases and requirements whose verdict changed or that only one of
the two has, and differences in the driver, the suite and the cluster. The exit status is 1 if a case fails or ends in an
error that did not before.`,
		Example: `  csi-topo report diff _report/main _report`,
		Args:    exactly(2),
		RunE: func(command *cobra.Command, args []string) error {
			var both [2]report.Run
			for i, arg := range args {
				runs, err := report.ReadRuns(arg)
				if err != nil {
					return err
				}
				if len(runs) != 1 {
					return fmt.Errorf("%s has %d reports: want the report of one run", arg, len(runs))
				}
				both[i] = runs[0]
			}
			found := report.Diff(both[0], both[1])
			if err := report.MarkdownDiff(command.OutOrStdout(), found); err != nil {
				return err
			}
			if found.Worse() {
				return exitStatus(report.ExitFailed)
			}
			return nil
		},
	}
}

func newReportBadgeCommand() *cobra.Command {
	form := ""
	command := &cobra.Command{
		Use:   "badge REPORT...",
		Short: "Print a badge that shows the verdict of reports",
		Example: `  csi-topo report badge _report > badge.svg
  csi-topo report badge _report --output shields > badge.json`,
		Args: atLeast(1),
		RunE: func(command *cobra.Command, args []string) error {
			printed := map[string]func(io.Writer, []report.Run) error{"svg": report.SVGBadge, "shields": report.ShieldsBadge}[form]
			if printed == nil {
				return fmt.Errorf("unknown output format %q: want svg or shields", form)
			}
			runs, err := readRuns(args)
			if err != nil {
				return err
			}
			return printed(command.OutOrStdout(), runs)
		},
	}
	command.Flags().StringVarP(&form, "output", "o", "svg", "the `format`: svg for a picture, shields for the endpoint badge of shields.io")
	return command
}

// readRuns reads all reports that are readable; the error names the others.
func readRuns(paths []string) ([]report.Run, error) {
	var all []report.Run
	var problems []error
	for _, path := range paths {
		runs, err := report.ReadRuns(path)
		all, problems = append(all, runs...), append(problems, err)
	}
	return all, errors.Join(problems...)
}
