package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	focused  = regexp.MustCompile("FOCUS=([a-z0-9_]+)")
	register = regexp.MustCompile(`\| (K8S-[A-Z]+[0-9]+) \|`)
)

// TestFoundIsShownByCases wants each row of docs/found.md to name a case of the cluster tier that verifies its requirement.
func TestFoundIsShownByCases(t *testing.T) {
	page, err := os.ReadFile("../../../docs/found.md")
	if err != nil {
		t.Fatal(err)
	}
	verifies := map[string][]string{}
	for _, c := range clusterCases() {
		verifies[c.ID] = c.Requirements
	}
	rows := 0
	for row := range strings.Lines(string(page)) {
		shown := focused.FindStringSubmatch(row)
		if shown == nil {
			continue
		}
		rows++
		requirement := register.FindStringSubmatch(row)
		if requirement == nil || !slices.Contains(verifies[shown[1]], requirement[1]) {
			t.Errorf("case %s verifies %v, which the row does not name: %s", shown[1], verifies[shown[1]], row)
		}
	}
	if rows == 0 {
		t.Error("the page has no row with a case")
	}
}
