// SPDX-License-Identifier: Apache-2.0

package placement_test

import (
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/placement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestTheCaseOnAFormHeadsItsFinding checks that the case on a form heads the finding: a driver that refuses a form of
// accessibility_requirements answers other cases likewise.
func TestTheCaseOnAFormHeadsItsFinding(t *testing.T) {
	var result report.ConformanceReport
	for _, as := range suite.List(placement.Areas()) {
		if slices.Contains([]string{"requisite_without_preferred", "T-BAD-2", "T-EQ-1"}, as.ID) {
			result.Cases = append(result.Cases, report.Case{ID: as.ID, Verdict: suite.Failed, Message: `got: INTERNAL: "Errors encountered: []"`})
		}
	}
	found := report.Findings(&result, suite.Failed)
	if len(found) != 1 || found[0].Shown.ID != "requisite_without_preferred" || len(found[0].Others) != 2 {
		t.Errorf("want one finding of requisite_without_preferred and two others, got %+v", found)
	}
}
