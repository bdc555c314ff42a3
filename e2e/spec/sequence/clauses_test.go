// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTheCaseNamesItsClauses compares the clauses that the files of the package name with the clauses
// of the case.
func TestTheCaseNamesItsClauses(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	clause := regexp.MustCompile(`"([A-Z]{2,6}-\d\d)"`)
	labels := read(t, "generated_sequence.go")
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, named := range clause.FindAllStringSubmatch(read(t, file), -1) {
			if !slices.Contains(clause.FindAllString(labels, -1), named[0]) {
				t.Errorf("%s judges by %s, which the case does not name", file, named[1])
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
