// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// casesOf returns the cases of a tier, or of both without one, in the order of their areas. Those of csi-sanity are not
// among them: they follow from the driver's segments.
func casesOf(tier string) ([]runner.Listed, error) {
	switch tier {
	case "":
		return append(specCases(), clusterCases()...), nil
	case "spec":
		return specCases(), nil
	case "cluster":
		return clusterCases(), nil
	default:
		return nil, fmt.Errorf("there is no tier %q: want spec or cluster", tier)
	}
}

func specCases() []runner.Listed {
	var cases []runner.Listed
	for _, area := range spec.Areas() {
		for _, c := range area.Cases {
			cases = append(cases, runner.List(area.Name, c.Text, c.Labels()))
		}
	}
	return cases
}

func clusterCases() []runner.Listed {
	var cases []runner.Listed
	for _, area := range cluster.Areas() {
		for _, c := range area.Cases {
			cases = append(cases, runner.List(area.Name, c.Text, c.AllLabels()))
		}
	}
	return cases
}
