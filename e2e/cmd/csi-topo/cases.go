// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// casesOf returns the cases of a tier, or of both without one, in the order of their areas. Those of csi-sanity are not
// among them: they follow from the driver's segments.
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

func specCases() []suite.Listed {
	return suite.List(spec.Areas())
}

func clusterCases() []suite.Listed {
	return suite.List(cluster.Areas())
}
