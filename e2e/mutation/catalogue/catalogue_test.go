// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/requirement"
)

func TestCatalogue(t *testing.T) {
	ids := map[string]bool{}
	for _, m := range All() {
		if ids[m.ID] {
			t.Errorf("two drivers have the id %s: change the text of one", m.ID)
		}
		ids[m.ID] = true
		if m.Text == "" {
			t.Errorf("%s says nothing of what it does", m.ID)
		}
		if len(m.Clauses()) == 0 && m.Kind != mutation.Conformant {
			t.Errorf("%s contradicts no clause", m.ID)
		}
		if err := requirement.Check(m.Clauses()...); err != nil {
			t.Errorf("%s: %v", m.ID, err)
		}
	}
}

// TestRegisterHasADriverForEachMust checks that a faulty driver contradicts each MUST. `make test-register` runs it, like all
// tests of the register.
func TestRegisterHasADriverForEachMust(t *testing.T) {
	for _, clause := range WithoutMutant() {
		t.Errorf("%s binds every driver, and no wrong driver contradicts it: add one to the package of its part below e2e/mutation\n%s", clause.ID, clause.Text)
	}
}
