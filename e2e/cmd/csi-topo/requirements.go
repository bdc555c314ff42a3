package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/runner"
)

func newRequirementsCommand() *cobra.Command {
	check := false
	command := &cobra.Command{
		Use:   "requirements",
		Short: "Print the register of requirements, with the cases that verify each",
		Long: `Print the register: every clause of the CSI specification and every behaviour of Kubernetes that the suite knows, with
its level, whom it binds, the tiers in which it can be observed, the position that the suite takes where the source is
silent or ambiguous, and the cases that verify it, or why there are none.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			listed, err := catalogue(runner.Options{Tier: "spec and cluster"}, "")
			if err != nil {
				return err
			}
			covered := requirement.Coverage{}
			for _, c := range listed {
				covered.Add(c.ID, c.Requirements...)
			}
			if check {
				return covered.Check()
			}
			printRequirements(command.OutOrStdout(), covered)
			return nil
		},
	}
	command.Flags().BoolVar(&check, "check", false, "print nothing, and fail where register and cases do not agree")
	return command
}

func printRequirements(out io.Writer, covered requirement.Coverage) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "REQUIREMENT\tLEVEL\tBINDS\tTIERS\tSOURCE\tTEXT\tPOSITION\tVERIFIED BY")
	verified := 0
	all := requirement.All()
	for _, r := range all {
		if len(covered[r.ID]) > 0 {
			verified++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Level, r.Grades, tiersOf(r), r.Source, r.Text,
			cmp.Or(r.Position, "-"), verifiedBy(r, covered))
	}
	table.Flush()
	fmt.Fprintf(out, "%d requirements, %d of them verified by cases\n", len(all), verified)
}

func tiersOf(r requirement.Requirement) string {
	names := make([]string, 0, len(r.Tiers))
	for _, tier := range r.Tiers {
		names = append(names, string(tier))
	}
	return cmp.Or(strings.Join(names, ","), "-")
}

func verifiedBy(r requirement.Requirement, covered requirement.Coverage) string {
	if cases := covered[r.ID]; len(cases) > 0 {
		return strings.Join(cases, ",")
	}
	return "nothing: " + cmp.Or(r.Untestable, r.Uncovered, "no reason is written")
}
