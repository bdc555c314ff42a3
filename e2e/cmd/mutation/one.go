// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/catalogue"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	bySpec   = "spec"
	bySanity = "csi-sanity"
	// reference is the id of the driver without a fault.
	reference = "reference"
)

// newOneCommand is what runs in a process of its own, as Ginkgo runs one suite in each.
func newOneCommand() *cobra.Command {
	var suite, file, only string
	var seed int64
	command := &cobra.Command{
		Use:    "one ID...",
		Short:  "Run one suite: the spec tier against one driver, or csi-sanity against one after another",
		Hidden: true,
		Args:   cobra.MinimumNArgs(1),
		RunE: func(command *cobra.Command, ids []string) error {
			var all []mutation.Mutant
			for _, id := range ids {
				m, err := mutantOf(id)
				if err != nil {
					return err
				}
				if only != "" {
					m.Only, m.Focus = []string{only}, ""
				}
				all = append(all, m)
			}
			heard, err := hear(command.Context(), all, suite, seed)
			if err != nil {
				return err
			}
			text, err := yaml.Marshal(heard)
			if err != nil {
				return fmt.Errorf("encoding what %s said: %w", suite, err)
			}
			return os.WriteFile(file, text, 0o600)
		},
	}
	command.Flags().StringVar(&suite, "suite", bySpec, "spec or csi-sanity")
	command.Flags().StringVar(&only, "case", "", "id of the only case that is run, of the spec tier")
	command.Flags().Int64Var(&seed, "seed", 1, "what the order of the cases and the generated ones follow from")
	command.Flags().StringVar(&file, "file", "", "file that gets what the suite said of each driver, in their order")
	return command
}

// said is what a suite said of a driver.
type said struct {
	// Cases are those of the spec tier that were run, and Seconds how long they took.
	Cases   []report.Case `yaml:"cases"`
	Seconds float64       `yaml:"seconds"`
	// Failed are csi-sanity's cases that failed.
	Failed []string `yaml:"failed"`
}

// hear runs the suite, and is what it said of the drivers.
func hear(ctx context.Context, all []mutation.Mutant, by string, seed int64) ([]said, error) {
	if by == bySanity {
		return hearSanity(ctx, all)
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("the spec tier runs against one driver in a process, and there are %d", len(all))
	}
	m := all[0]
	result, err := m.RunSpec(ctx, func(s *harness.Suite) { s.Declare(only(spec.Areas(), m.Only)) }, seed, "")
	if err != nil {
		return nil, err
	}
	heard := said{Seconds: result.Summary.Seconds}
	for _, c := range result.Cases {
		if c.DecidedBy != suite.ByFilter {
			heard.Cases = append(heard.Cases, report.Case{ID: c.ID, Verdict: c.Verdict, Blamed: c.Blamed, Message: c.Message})
		}
	}
	return []said{heard}, nil
}

func hearSanity(ctx context.Context, all []mutation.Mutant) ([]said, error) {
	var drivers []mutation.Driver
	for _, m := range all {
		drivers = append(drivers, m.Driver)
	}
	results, err := mutation.RunSanity(ctx, drivers)
	if err != nil {
		return nil, err
	}
	var heard []said
	for _, result := range results {
		heard = append(heard, said{Seconds: result.Seconds, Failed: result.Failed})
	}
	return heard, nil
}

// mutantOf is the driver of the id; of a wrong one, only the cases that have to catch it are run.
func mutantOf(id string) (mutation.Mutant, error) {
	if id == reference {
		return mutation.Mutant{ID: id, Kind: mutation.Conformant}, nil
	}
	m, found := catalogue.ByID(id)
	if !found {
		return m, fmt.Errorf("there is no driver %q in the catalogue", id)
	}
	if m.Kind == mutation.Conformant {
		return m, nil
	}
	m.Only, m.Focus = m.Catching(), ""
	target := m.Target
	m.Target = func(t *harness.Target) {
		if target != nil {
			target(t)
		}
		t.Unexplained = true // who reads the proof asks whether it was caught
	}
	return m, nil
}

// only are the areas with the cases of the ids; all of them without ids. What is not run need not be declared, which costs
// as much as a short case.
func only(areas []harness.Area, ids []string) []harness.Area {
	if len(ids) == 0 {
		return areas
	}
	for i, area := range areas {
		areas[i].Cases = slices.DeleteFunc(slices.Clone(area.Cases), func(c harness.Case) bool { return !slices.Contains(ids, c.ID) })
	}
	return slices.DeleteFunc(areas, func(area harness.Area) bool { return len(area.Cases) == 0 })
}
