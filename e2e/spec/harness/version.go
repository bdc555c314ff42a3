// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// newer sets aside findings about requirements that are newer than the version of the specification that the driver
// implements.
func (t *Target) newer() []suite.Waiver {
	if t.CSI == "" {
		return nil
	}
	var all []suite.Waiver
	for _, r := range requirement.All() {
		if r.NewerThan(t.CSI) {
			all = append(all, suite.Waiver{Requirement: r.ID, Reason: t.cameLater(r), Newer: true})
		}
	}
	return all
}

// meetVersion skips a case that verifies only newer requirements.
func (t *Target) meetVersion(c Case) {
	if t.CSI == "" {
		return
	}
	if r, later := requirement.AllNewer(c.Requirements, t.CSI); later {
		suite.Skip(suite.ByFilter, "%s: %s", r.ID, t.cameLater(r))
	}
}

func (t *Target) cameLater(r requirement.Requirement) string {
	return fmt.Sprintf("the driver implements CSI %s, and it came with %s", t.CSI, r.Since)
}
