// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// source matches the source of every clause: "CSI spec.md v1.13.0 line 12", or "… lines 12-14, 16".
var source = regexp.MustCompile(`CSI spec\.md (v[0-9.]+) lines? ([0-9]+(?:-[0-9]+)?(?:, [0-9]+(?:-[0-9]+)?)*)`)

// citation is a citation of the specification by a requirement.
type citation struct {
	version string
	lines   []int
}

// ofClause reports whether the requirement is a clause of the CSI specification, not a behaviour of Kubernetes.
func ofClause(r requirement.Requirement) bool { return !strings.HasPrefix(r.ID, "K8S-") }

// cited returns the citation in the requirement's source, and an error if the source is malformed.
func cited(r requirement.Requirement) (citation, error) {
	found := source.FindStringSubmatch(r.Source)
	if found == nil || found[0] != r.Source {
		return citation{}, fmt.Errorf("%s has the source %q: write it as \"CSI spec.md v1.13.0 line 12\", or as \"… lines 12-14, 16\"", r.ID, r.Source)
	}
	return citation{version: found[1], lines: numbers(found[2])}, nil
}

// numbers returns the numbers of a list such as 12-14, 16.
func numbers(list string) []int {
	var all []int
	for _, part := range strings.Split(list, ", ") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, _ := strconv.Atoi(from) // digits, by source
		last, _ := strconv.Atoi(to)
		for n := first; n <= last; n++ {
			all = append(all, n)
		}
	}
	return all
}
