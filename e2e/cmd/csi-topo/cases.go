// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"

	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// casesOf returns the cases of a tier, or of both if it is empty, in the order of their areas. csi-sanity's cases are not
// included: they depend on the driver's segments.
func casesOf(tier string) ([]suite.Listed, error) {
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

// sanityCase matches the ids of csi-sanity's cases, whose number depends on the driver's segments.
var sanityCase = regexp.MustCompile(`^sanity(_[0-9]+_[0-9]{3})?$`)

// caseExists returns a function that reports whether a tier has a case with the id.
func caseExists() func(id string) bool {
	cases := map[string]bool{}
	for _, c := range append(specCases(), clusterCases()...) {
		cases[c.ID] = true
	}
	return func(id string) bool { return cases[id] || sanityCase.MatchString(id) }
}

func specCases() []suite.Listed {
	return suite.List(spec.Areas())
}

func clusterCases() []suite.Listed {
	return suite.List(cluster.Areas())
}
