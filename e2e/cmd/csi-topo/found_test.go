// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	shownBy  = regexp.MustCompile("FOCUS=([a-z0-9_]+)|\\| `([A-Za-z0-9_-]+)` \\|\n")
	register = regexp.MustCompile(`\| ((?:K8S-)?[A-Z]+-?[0-9]+) \|`)
)

// TestFoundIsShownByCases checks that each row of docs/found.md names a case that verifies its
// requirement.
func TestFoundIsShownByCases(t *testing.T) {
	page, err := os.ReadFile("../../../docs/found.md")
	if err != nil {
		t.Fatal(err)
	}
	verifies := map[string][]string{}
	for _, c := range append(specCases(), clusterCases()...) {
		verifies[c.ID] = c.Requirements
	}
	rows := 0
	for row := range strings.Lines(string(page)) {
		shown := shownBy.FindStringSubmatch(row)
		if shown == nil {
			continue
		}
		rows++
		id := shown[1] + shown[2]
		requirement := register.FindStringSubmatch(row)
		const answered = "GEN-08" // every case verifies that the driver answers, and names this requirement if it does not
		if requirement == nil || verifies[id] == nil || requirement[1] != answered && !slices.Contains(verifies[id], requirement[1]) {
			t.Errorf("case %s verifies %v, which the row does not name: %s", id, verifies[id], row)
		}
	}
	if all := strings.Count(string(page), "\n| ") - 2*strings.Count(string(page), "\n| ---"); rows != all {
		t.Errorf("want each of the %d rows to name a case, found %d that do", all, rows)
	}
}
