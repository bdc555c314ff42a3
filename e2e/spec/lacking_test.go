// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// lacking describes the features that a driver lacks, and the consequences for cases.
type lacking struct {
	// needs lists the missing features, as labels: each case with one of them is skipped.
	needs map[suite.DecidedBy]string
	// skips and warns are other cases, by their ids.
	skips map[suite.DecidedBy]string
	warns string
}

// judge compares a report with the report for the driver that has everything: no other cases are skipped, and none
// warns.
func (l lacking) judge(t *testing.T, result, full *report.ConformanceReport) {
	t.Helper()
	skippedAnyway, needs := map[string]bool{}, needsOfCases()
	for _, c := range full.Cases {
		skippedAnyway[c.ID] = c.Verdict == suite.Skipped
	}
	for _, c := range result.Cases {
		if skippedAnyway[c.ID] {
			continue
		}
		want, by := suite.Passed, l.skipped(c.ID, needs[c.ID])
		switch {
		case by != "":
			want = suite.Skipped
		case slices.Contains(strings.Fields(l.warns), c.ID):
			want = suite.Warned
		}
		if c.Verdict != want || c.Verdict == suite.Skipped && c.DecidedBy != by {
			t.Errorf("case %s, which needs %s: %s %s, want %s %s\n%s%s", c.ID, needs[c.ID], c.Verdict, c.DecidedBy, want, by, c.Reason, c.Message)
		}
	}
}

// skipped returns who decides that the case with these needs is skipped; it is empty if the case is not skipped.
func (l lacking) skipped(id string, needs []string) suite.DecidedBy {
	for by, lacked := range l.needs {
		if slices.ContainsFunc(strings.Fields(lacked), func(need string) bool { return slices.Contains(needs, need) }) {
			return by
		}
	}
	for by, ids := range l.skips {
		if slices.Contains(strings.Fields(ids), id) {
			return by
		}
	}
	return ""
}

func needsOfCases() map[string][]string {
	needs := map[string][]string{}
	for _, c := range suite.List(spec.Areas()) {
		needs[c.ID] = c.Needs
	}
	return needs
}
