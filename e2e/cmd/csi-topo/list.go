package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// tiers are the tiers' cases, by the names of the tiers.
var tiers = []struct {
	name     string
	register func()
}{
	{"spec", func() { spec.Register(harness.New(&harness.Target{})) }},
	{"cluster", func() { cluster.Register(&cluster.Target{Timeouts: cluster.DefaultTimeouts()}) }},
}

func newListCommand() *cobra.Command {
	var chosen filters
	tier := ""
	command := &cobra.Command{
		Use:   "list",
		Short: "Print the cases without running them",
		Long: `Print the cases without running them: id, strongest level of its requirements, requirements, what it needs, and text.
csi-sanity's cases are not among them: how many there are follows from the driver's segments.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			options := runner.Options{Tier: cmp.Or(tier, "spec and cluster")}
			if err := chosen.fill(&options); err != nil {
				return err
			}
			listed, err := catalogue(options, tier)
			if err != nil {
				return err
			}
			printCases(command.OutOrStdout(), listed)
			return nil
		},
	}
	chosen.addTo(command)
	command.Flags().StringVar(&tier, "tier", "", "the cases of this tier only: spec or cluster")
	return command
}

// catalogue are the cases of a tier, of both when it is empty.
func catalogue(o runner.Options, tier string) ([]runner.Listed, error) {
	known := false
	for _, t := range tiers {
		known = known || tier == "" || t.name == tier
	}
	if !known {
		return nil, fmt.Errorf("there is no tier %q: want spec or cluster", tier)
	}
	return runner.Catalogue(o, func() {
		for _, t := range tiers {
			if tier == "" || t.name == tier {
				t.register()
			}
		}
	})
}

func printCases(out io.Writer, listed []runner.Listed) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tLEVEL\tREQUIREMENTS\tNEEDS\tTEXT")
	for _, c := range listed {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", c.ID, strongest(c.Requirements), strings.Join(c.Requirements, ","),
			cmp.Or(strings.Join(c.Needs, ","), "-"), c.Text)
	}
	table.Flush()
	fmt.Fprintf(out, "%d cases\n", len(listed))
}

// strongest is the strongest level of the requirements.
func strongest(ids []string) requirement.Level {
	levels := []requirement.Level{requirement.May, requirement.Should, requirement.Must}
	strength := 0
	for _, id := range ids {
		found, _ := requirement.ByID(id)
		strength = max(strength, slices.Index(levels, found.Level))
	}
	return levels[strength]
}
