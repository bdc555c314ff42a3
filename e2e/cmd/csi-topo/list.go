// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec/sequence"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func newListCommand() *cobra.Command {
	var chosen filters
	var printed format
	tier, combinations := "", false
	command := &cobra.Command{
		Use:   "list",
		Short: "Print the cases without running them",
		Long: `Print the cases without running them: their ids, the strongest level of their requirements, and what they show; with
-o wide also their areas, their requirements and what they need; with -o conformance the list docs/conformance.yaml.
csi-sanity's cases are not listed: their number depends on the driver's segments.
With --combinations, print instead the combinations of conditions that the cases combinations_* cover. Each row is the life
of a volume. A driver that does not claim a value has other rows.

` + idFamilies,
		Example: `  csi-topo list --requirement TR-07
  csi-topo list --tier cluster --label smoke -o wide`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := printed.check(formatConformance); err != nil {
				return err
			}
			if combinations {
				return printCombinations(command.OutOrStdout(), printed)
			}
			options := suite.Options{}
			if err := chosen.fill(&options); err != nil {
				return err
			}
			if err := session.Validate(options); err != nil {
				return err
			}
			all, err := casesOf(tier)
			if err != nil {
				return err
			}
			listed, err := session.Choose(options, all)
			if err != nil {
				return err
			}
			if done, err := printed.print(command.OutOrStdout(), listed); done {
				return err
			}
			switch printed {
			case formatConformance:
				return printConformance(command.OutOrStdout(), listed)
			case formatWide:
				printWideCases(command.OutOrStdout(), listed)
			default:
				printCases(command.OutOrStdout(), listed)
			}
			return nil
		},
	}
	chosen.addTo(command)
	printed.addTo(command, formatConformance)
	command.Flags().StringVar(&tier, "tier", "", "only the cases of this tier: spec or cluster")
	command.Flags().BoolVar(&combinations, "combinations", false, "print the combinations of conditions instead")
	chosen.complete(command, "")
	completeFlag(command, "tier", words("spec", "cluster"))
	return command
}

// printCases prints a table that fits a terminal, unless ids are long.
func printCases(out io.Writer, listed []suite.Listed) {
	longest := 0
	for _, c := range listed {
		longest = max(longest, len(c.ID))
	}
	const level, least = 10, 30 // the width of the column for the level, and the minimum width for a text
	room := max(terminalWidth-longest-level, least)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tLEVEL\tTEXT")
	for _, c := range listed {
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.ID, strongest(c.Requirements), shorten(c.Text, room))
	}
	table.Flush()
	fmt.Fprintln(out, count(len(listed), "case"))
}

// printWideCases prints a table of all columns.
func printWideCases(out io.Writer, listed []suite.Listed) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tLEVEL\tAREA\tREQUIREMENTS\tNEEDS\tTEXT")
	for _, c := range listed {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, strongest(c.Requirements), c.Area, strings.Join(c.Requirements, ","),
			cmp.Or(strings.Join(c.Needs, ","), "-"), c.Text)
	}
	table.Flush()
	fmt.Fprintln(out, count(len(listed), "case"))
}

// printCombinations prints the rows of the covering array, each with its values by dimension.
func printCombinations(out io.Writer, printed format) error {
	names, rows := sequence.Combinations()
	if done, err := printed.print(out, rows); done {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "CASE\tLIFE\t%s\n", strings.ToUpper(strings.Join(names, "\t")))
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%d\t%s\n", row.Case, row.Life, strings.Join(row.Values, "\t"))
	}
	table.Flush()
	fmt.Fprintln(out, count(len(rows), "combination"))
	return nil
}

// strongest returns the strongest level of the requirements.
func strongest(ids []string) requirement.Level {
	levels := []requirement.Level{requirement.May, requirement.Should, requirement.Must}
	strength := 0
	for _, id := range ids {
		found, _ := requirement.ByID(id)
		strength = max(strength, slices.Index(levels, found.Level))
	}
	return levels[strength]
}
