// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"slices"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Blamed returns the requirements that the marks of the verdict with which a case ended are about, each once, in the
// order of their names. A case without any is about all of its requirements.
func Blamed(spec types.SpecReport, v suite.Verdict) []string {
	var found []string
	for _, m := range marks(spec) {
		if m.Verdict == v {
			found = append(found, m.Clauses...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
