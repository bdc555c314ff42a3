// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec"
)

// examples counts the rows of the table in placement/examples.go, whose ids appear in reports.
const examples = `
	T-EQ-1 T-EQ-1F T-EQ-2 T-EQ-2F T-LT-1 T-LT-1F T-LT-2 T-LT-2F T-GT-1 T-GT-1F
	T-PF-1a T-PF-1b T-PF-2a T-PF-2b T-PF-2c T-PF-2d T-PF-3a T-PF-3b T-PF-3c T-PF-3d T-PF-3e
	T-PO-1 T-PO-2 T-NR T-BAD-1 T-BAD-2 T-BAD-3 T-ID-1 T-ID-2 T-ID-3`

// named matches ids that leave room for csi-topo, eight letters of the run and three digits in the 63 bytes of a name.
var named = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

func TestAreas(t *testing.T) {
	t.Parallel()
	declared := map[string]int{}
	for _, area := range spec.Areas() {
		for _, c := range area.Cases {
			declared[c.ID]++
			if !named.MatchString(c.ID) {
				t.Errorf("case %s: with the run's id and a number, its id must make a name that is a label of RFC 1035", c.ID)
			}
			if err := requirement.Check(c.Requirements...); err != nil {
				t.Errorf("case %s: %v", c.ID, err)
			}
		}
	}
	for _, id := range strings.Fields(examples) {
		if declared[id] == 0 {
			t.Errorf("case %s is not declared", id)
		}
	}
	for id, times := range declared {
		if times > 1 {
			t.Errorf("case %s is declared %d times, want once", id, times)
		}
	}
}
