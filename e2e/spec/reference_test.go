package spec_test

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

func TestTheReferenceDriverPasses(t *testing.T) {
	result := runSuite(t, reference)
	if want := len(strings.Fields(examples)); result.Summary.Pass != want || len(result.Cases) != want {
		t.Errorf("%d of %d cases passed, want %d", result.Summary.Pass, len(result.Cases), want)
	}
	for _, c := range result.Cases {
		if c.Verdict != verdict.Pass {
			t.Errorf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
		}
		if len(c.Evidence) == 0 {
			t.Errorf("case %s has no evidence", c.ID)
		}
	}
	for _, r := range result.Requirements {
		if r.Level == "" {
			t.Errorf("requirement %s has no level", r.ID)
		}
	}
}
