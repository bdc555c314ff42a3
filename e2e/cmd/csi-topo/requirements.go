// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// idFamilies explains the ids of cases and requirements, wherever they are printed.
const idFamilies = `A requirement whose id begins with K8S- is a behaviour of Kubernetes; every other one is a clause of the CSI specification.
A case whose id begins with T- is a row of the specification's examples for TopologyRequirement (spec.md, lines 1137 to
1226): a volume is accessible from x topologies, and requisite has n.

  T-EQ-…, T-LT-…, T-GT-…    x = n, x < n, x > n
  T-PF-1…, T-PF-2…, T-PF-3… preferred, examples 1 to 3
  T-PO-…                    preferred without requisite
  T-NR, T-ID-…, T-BAD-…     no requirement, a repeated call, an invalid requirement

An F at the end means that a topology in requisite is full; a letter after an example numbers its checks.`

func newRequirementsCommand() *cobra.Command {
	check := false
	var printed format
	command := &cobra.Command{
		Use:   "requirements [ID...]",
		Short: "Print the register of requirements, with the cases that verify each",
		Long: `Print the register: every clause of the CSI specification and every behaviour of Kubernetes that the suite knows.
With ids, print those requirements in full: their source and text, the position that the suite takes where the source
is silent or ambiguous, and the cases that verify them, or why there are none.

` + idFamilies,
		Example: `  csi-topo requirements TR-07 K8S-A1
  csi-topo requirements -o yaml`,
		ValidArgsFunction: proposing(requirementIDs),
		RunE: func(command *cobra.Command, ids []string) error {
			if err := printed.check(formatMarkdown); err != nil {
				return err
			}
			cases, err := casesOf("")
			if err != nil {
				return err
			}
			if check {
				return coverageOf(cases).Check()
			}
			chosen, err := requirementsOf(ids, cases)
			if err != nil {
				return err
			}
			if done, err := printed.print(command.OutOrStdout(), chosen); done {
				return err
			}
			switch {
			case printed == formatMarkdown:
				printMarkdownRequirements(command.OutOrStdout(), chosen)
			case printed == formatWide:
				printWideRequirements(command.OutOrStdout(), chosen)
			case len(ids) > 0:
				printInFull(command.OutOrStdout(), chosen, cases)
			default:
				printRequirements(command.OutOrStdout(), chosen)
			}
			return nil
		},
	}
	command.Flags().BoolVar(&check, "check", false, "print nothing, and fail if the register and the cases do not match")
	printed.addTo(command, formatMarkdown)
	return command
}

// listedRequirement is a requirement and the cases that verify it.
type listedRequirement struct {
	ID         string             `json:"id"`
	Area       string             `json:"area"`
	Level      requirement.Level  `json:"level"`
	Keyword    string             `json:"keyword,omitempty"`
	Grades     requirement.Party  `json:"grades"`
	RPC        string             `json:"rpc,omitempty"`
	Tiers      []requirement.Tier `json:"tiers"`
	Since      string             `json:"since,omitempty"`
	Source     string             `json:"source"`
	Text       string             `json:"text"`
	Position   string             `json:"position,omitempty"`
	Observable string             `json:"observable,omitempty"`
	Witness    string             `json:"witness,omitempty"`
	Untestable string             `json:"untestable,omitempty"`
	Uncovered  string             `json:"uncovered,omitempty"`
	Cases      []string           `json:"cases"`
}

func coverageOf(cases []suite.Listed) requirement.Coverage {
	covered := requirement.Coverage{}
	for _, c := range cases {
		covered.Add(c.ID, c.Requirements...)
	}
	return covered
}

// requirementsOf returns the requirements with these ids, in that order, or the whole register without ids.
func requirementsOf(ids []string, cases []suite.Listed) ([]listedRequirement, error) {
	rows := requirement.All()
	if len(ids) > 0 {
		rows = nil
	}
	var unknown []string
	for _, id := range ids {
		row, found := requirement.ByID(id)
		if !found {
			unknown = append(unknown, fmt.Sprintf("%q", id))
		}
		rows = append(rows, row)
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("there is no requirement %s: `csi-topo requirements` prints all ids, such as TR-07", strings.Join(unknown, ", "))
	}
	covered := coverageOf(cases)
	listed := make([]listedRequirement, 0, len(rows))
	for _, r := range rows {
		listed = append(listed, listedRequirement{
			ID: r.ID, Area: r.Area, Level: r.Level, Keyword: r.Keyword, Grades: r.Grades, RPC: r.RPC,
			Tiers: append([]requirement.Tier{}, r.Tiers...), Since: r.Since, Source: r.Source, Text: r.Text, Position: r.Position,
			Observable: r.Observable, Witness: r.Witness, Untestable: r.Untestable, Uncovered: r.Uncovered, Cases: append([]string{}, covered[r.ID]...),
		})
	}
	return listed, nil
}
