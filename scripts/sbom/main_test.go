// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// TestRun checks the list of modules of the test's own program.
func TestRun(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, again bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &again} {
		if err := run([]string{program}, out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Error("two lists of one program differ")
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(&first, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{filepath.Base(program), "github.com/csi-topo/csi-topo", "github.com/CycloneDX/cyclonedx-go", "std"} {
		if !slices.ContainsFunc(*bom.Components, func(c cdx.Component) bool { return c.Name == want }) {
			t.Errorf("%s is not in the list", want)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for name, programs := range map[string][]string{"nothing": nil, "what is no program": {"main.go"}, "what is not there": {"nowhere"}} {
		t.Run(name, func(t *testing.T) {
			if err := run(programs, &bytes.Buffer{}); err == nil {
				t.Error("want an error")
			}
		})
	}
}
