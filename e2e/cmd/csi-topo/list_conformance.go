// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/csi-topo/csi-topo/e2e/conformance"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// The list of all checks is committed, so that a diff shows how a change affects it.
//
//go:generate sh -c "go run . list -o conformance >../../../docs/conformance.yaml.new && mv ../../../docs/conformance.yaml.new ../../../docs/conformance.yaml"

// conformanceCheck is a case in the list of all checks.
type conformanceCheck struct {
	ID   string `yaml:"id"`
	Text string `yaml:"text"`
	Tier string `yaml:"tier"`
	// Clauses are the requirements that it verifies, and Level the strongest of their levels.
	Clauses []string          `yaml:"clauses,flow"`
	Level   requirement.Level `yaml:"level"`
	// Since is the oldest version of the CSI specification that the check applies to.
	Since string `yaml:"since"`
	// Release is the first release with the check; empty if none has it yet.
	Release     string `yaml:"release,omitempty"`
	Provisional bool   `yaml:"provisional,omitempty"`
	// Profiles are the conformance profiles that its clauses count for.
	Profiles []string `yaml:"profiles,flow,omitempty"`
	File     string   `yaml:"file"`
}

func checkOf(c suite.Listed, tier string) conformanceCheck {
	made := conformanceCheck{ID: c.ID, Text: c.Text, Tier: tier, Clauses: c.Requirements, Level: strongest(c.Requirements), File: c.File,
		Release: conformance.Release(c.ID), Provisional: conformance.Provisional(c.ID)}
	versions := requirement.Versions()
	made.Since = versions[slices.IndexFunc(versions, func(csi string) bool {
		_, newer := requirement.AllNewer(c.Requirements, csi)
		return !newer
	})]
	for _, p := range requirement.Profiles() {
		if slices.ContainsFunc(p.All(), func(id string) bool { return slices.Contains(c.Requirements, id) }) {
			made.Profiles = append(made.Profiles, p.Name)
		}
	}
	return made
}

// printConformance prints the list of all checks, with the cluster tier's last.
func printConformance(out io.Writer, listed []suite.Listed) error {
	cluster := suite.IDs(clusterCases())
	var all []conformanceCheck
	for _, c := range listed {
		tier := "spec"
		if strings.HasPrefix(c.File, "e2e/cluster/") || c.File == "" && slices.Contains(cluster, c.ID) {
			tier = "cluster"
		}
		all = append(all, checkOf(c, tier))
	}
	fmt.Fprint(out, "# Every check of csi-topo but csi-sanity's, written by make generate; conformance.md explains the fields.\n")
	encoder := yaml.NewEncoder(out)
	encoder.SetIndent(2)
	if err := encoder.Encode(all); err != nil {
		return fmt.Errorf("printing the checks: %w", err)
	}
	return nil
}
