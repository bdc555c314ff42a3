// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// TestRequirementsPage checks that the page has a row for each requirement of the register, and the number of rows in the
// introduction.
func TestRequirementsPage(t *testing.T) {
	p := program(t, "", "requirements", "-o", "markdown")
	all := requirement.All()
	for _, r := range all {
		if !strings.Contains(p.out, "\n| ["+r.ID+"](") && !strings.Contains(p.out, "\n| "+r.ID+" |") {
			t.Errorf("the page has no row for %s", r.ID)
		}
	}
	if text := fmt.Sprintf("The register has %d requirements", len(all)); !strings.Contains(p.out, text) {
		t.Errorf("the page does not say %q\n%s", text, p.errOut)
	}
}
