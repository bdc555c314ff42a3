// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestConformanceList checks that docs/conformance.yaml is up to date with `make generate`.
func TestConformanceList(t *testing.T) {
	written := documentText(t, "docs/conformance.yaml")
	if p := program(t, "", "list", "-o", "conformance"); p.out != written {
		t.Errorf("docs/conformance.yaml is not of this register and these cases: run make generate\n%s", p.errOut)
	}
	var all []conformanceCheck
	if err := yaml.Unmarshal([]byte(written), &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if _, err := os.Stat(filepath.Join(repository, c.File)); c.File == "" || err != nil {
			t.Errorf("%s is said to be in the file %q: %v", c.ID, c.File, err)
		}
	}
}
