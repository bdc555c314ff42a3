// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// TestRequirementsPage wants docs/requirements.md as make generate writes it now.
func TestRequirementsPage(t *testing.T) {
	if p := program(t, "", "requirements", "-o", "markdown"); p.out != documentText(t, "docs/requirements.md") {
		t.Errorf("docs/requirements.md is not of this register and these cases: run make generate\n%s", p.errOut)
	}
}
