// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/catalogue"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const (
	bySpec   = "spec"
	bySanity = "csi-sanity"
	// reference is the id of the driver without a fault.
	reference = "reference"
)

// newOneCommand returns the command that runs csi-sanity in a separate process, as Ginkgo runs one suite at a
// time in each.
func newOneCommand() *cobra.Command {
	var file string
	command := &cobra.Command{
		Use:    "one ID...",
		Short:  "Run csi-sanity against one driver after another",
		Hidden: true,
		Args:   cobra.MinimumNArgs(1),
		RunE: func(command *cobra.Command, ids []string) error {
			var all []mutation.Driver
			for _, id := range ids {
				m, err := mutantOf(id)
				if err != nil {
					return err
				}
				all = append(all, m.Driver)
			}
			results, err := mutation.RunSanity(command.Context(), all)
			if err != nil {
				return err
			}
			var heard []said
			for _, result := range results {
				heard = append(heard, said{Seconds: result.Seconds, Failed: result.Failed})
			}
			text, err := yaml.Marshal(heard)
			if err != nil {
				return fmt.Errorf("encoding what csi-sanity said: %w", err)
			}
			return os.WriteFile(file, text, 0o600)
		},
	}
	command.Flags().StringVar(&file, "file", "", "file for csi-sanity's results for each driver, in order")
	return command
}

// said is the result of a suite for a driver.
type said struct {
	// Cases are the cases of the spec tier that were run, and Seconds how long they took.
	Cases   []report.Case `yaml:"cases"`
	Seconds float64       `yaml:"seconds"`
	// Failed are csi-sanity's cases that failed.
	Failed []string `yaml:"failed"`
}

// hear runs the cases of the areas against the driver. The seed determines the order of the cases and the generated ones.
func hear(ctx context.Context, m mutation.Mutant, areas []harness.Area, seed int64) (said, error) {
	result, err := m.RunSpec(ctx, mutation.Cases{Areas: areas}, seed)
	if err != nil {
		return said{}, err
	}
	heard := said{Seconds: result.Summary.Seconds}
	for _, c := range result.Cases {
		if c.DecidedBy != suite.ByFilter {
			heard.Cases = append(heard.Cases, report.Case{ID: c.ID, Verdict: c.Verdict, Blamed: c.Blamed, Message: c.Message, Reason: c.Reason, DecidedBy: c.DecidedBy})
		}
	}
	return heard, nil
}

// mutantOf returns the driver with the id. For a wrong driver, only the cases with an expected result are run.
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
	m.Only, m.Focus = m.Named(), ""
	target := m.Target
	m.Target = func(t *harness.Target) {
		if target != nil {
			target(t)
		}
		t.Unexplained = true // who reads the proof asks whether it was caught
	}
	return m, nil
}
