// SPDX-License-Identifier: Apache-2.0

package profile

import "github.com/csi-topo/csi-topo/e2e/suite"

// SetsAside returns the waivers in the form of the suite.
func (p Profile) SetsAside() []suite.Waiver {
	waivers := make([]suite.Waiver, 0, len(p.Waivers))
	for _, w := range p.Waivers {
		waivers = append(waivers, suite.Waiver{Requirement: w.Requirement, Case: w.Case, Reason: w.Reason})
	}
	return waivers
}
