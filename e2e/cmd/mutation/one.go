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
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
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
		Use:    "one ID",
		Short:  "Run one suite against one driver",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			m, err := mutantOf(args[0])
			if err != nil {
				return err
			}
			if only != "" {
				m.Only, m.Focus = []string{only}, ""
			}
			return write(command.Context(), m, suite, seed, file)
		},
	}
	command.Flags().StringVar(&suite, "suite", bySpec, "spec or csi-sanity")
	command.Flags().StringVar(&only, "case", "", "id of the only case that is run, of the spec tier")
	command.Flags().Int64Var(&seed, "seed", 1, "what the order of the cases and the generated ones follow from")
	command.Flags().StringVar(&file, "file", "", "file that gets what the suite said")
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

// write runs the suite, and writes what it said into the file.
func write(ctx context.Context, m mutation.Mutant, suite string, seed int64, file string) error {
	var all said
	if suite == bySanity {
		sanity, err := m.RunSanity(ctx)
		if err != nil {
			return err
		}
		all = said{Seconds: sanity.Seconds, Failed: sanity.Failed}
	} else {
		result, err := m.RunSpec(ctx, func(s *harness.Suite) { s.Declare(spec.Areas()) }, seed, "")
		if err != nil {
			return err
		}
		all.Seconds = result.Summary.Seconds
		for _, c := range result.Cases {
			if c.DecidedBy != verdict.ByFilter {
				all.Cases = append(all.Cases, report.Case{ID: c.ID, Verdict: c.Verdict, Blamed: c.Blamed, Message: c.Message})
			}
		}
	}
	text, err := yaml.Marshal(all)
	if err != nil {
		return fmt.Errorf("encoding what %s said: %w", suite, err)
	}
	return os.WriteFile(file, text, 0o600)
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
