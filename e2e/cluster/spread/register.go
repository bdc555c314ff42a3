// SPDX-License-Identifier: Apache-2.0

// Package spread has the cluster tier's cases about topology spread constraints of pods with
// volumes.
package spread

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "spread", Cases: slices.Concat(spreadMaxSkew(), spreadMinDomains(), spreadTwoConstraints(), spreadNodeAffinity(), spreadNodeTaints(), spreadMissingLabel(), []harness.Case{
		spreadStatefulSet(),
		spreadDoNotSchedule(),
		spreadScheduleAnyway(),
		spreadIgnoresAllowedTopologies(),
		spreadCountsOwn(),
		spreadExistingVolume(),
		spreadRollingUpdate(),
		spreadTerminating(),
		spreadDefault(),
		spreadInvalid(),
		spreadIgnoresMissingKeys(),
		spreadPrefers(),
		spreadZoneDies(),
	})}
}
