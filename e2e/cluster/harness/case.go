// SPDX-License-Identifier: Apache-2.0

package harness

import "github.com/csi-topo/csi-topo/e2e/suite"

// Case is one story that the tier has a cluster and a driver tell. Its text is the rest of a sentence that begins with "the
// cluster, with the driver,", and its id is the name of its file.
type Case = suite.Case[*Scenario]

// Area is a group of cases, by which the report is grouped too.
type Area = suite.Area[*Scenario]

// meetWaivers skips a case that the vendor waives, or one of whose requirements.
func (t *Target) meetWaivers(c Case) {
	if reason, waived := t.Waived[c.ID]; waived {
		suite.Skip(suite.ByWaiver, "%s", reason)
	}
	for _, id := range c.Requirements {
		if reason, waived := t.Waived[id]; waived {
			suite.Skip(suite.ByWaiver, "%s: %s", id, reason)
		}
	}
}
