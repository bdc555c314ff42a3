// SPDX-License-Identifier: Apache-2.0

package spectest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Judge checks the judgement of the cases: the reference driver passes all except those in but, each of the drivers gets
// the expected verdicts, and each case catches at least one of them.
func Judge(t *testing.T, areas []harness.Area, wanted map[string]mutation.Expectation, but ...mutation.Case) {
	t.Helper()
	caught := map[string]bool{}
	for name, expectation := range wanted {
		if len(expectation.Cases) == 0 {
			t.Errorf("the entry of the driver %q below e2e/mutation names no case", name)
		}
		for _, c := range expectation.Cases {
			for id := range strings.FieldsSeq(c.IDs) {
				caught[id] = caught[id] || c.Verdict == suite.Failed || c.Verdict == suite.Warned
			}
		}
	}
	for _, id := range ExpectPasses(t, areas, but...) {
		if !caught[id] {
			t.Errorf("case %s catches none of the drivers: add a wrong one that it catches to the package of the same name below e2e/mutation", id)
		}
	}
	Expect(t, areas, wanted)
}

// Expect runs the cases against each of the drivers, and compares their verdicts with the expected ones. With -short it
// leaves out the faulty drivers, because `make mutation` runs them against the named cases.
func Expect(t *testing.T, areas []harness.Area, wanted map[string]mutation.Expectation) {
	drivers := mutation.Drivers(wanted)
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && wanted[name].Kind() != "" {
				t.Skip("make mutation runs it")
			}
			cases := Run(t, areas, drivers[name]).Cases
			for _, unexpected := range wanted[name].Unexpected(cases) {
				t.Error(unexpected)
			}
			others(t, slices.DeleteFunc(cases, func(c report.Case) bool { return slices.Contains(wanted[name].Named(), c.ID) }))
		})
	}
}

// others checks the cases without an expectation.
func others(t *testing.T, cases []report.Case) {
	t.Helper()
	for _, other := range cases {
		if other.Verdict == suite.Errored {
			t.Errorf("case %s ended as an error: %s %s", other.ID, other.Reason, other.Message)
		}
		if other.Verdict == suite.Failed || other.Verdict == suite.Warned {
			t.Errorf("case %s should not see the fault: %s\n%s\nIf it should, name it in the entry of the driver below e2e/mutation, or make the entry Wide", other.ID, other.Verdict, other.Message)
		}
	}
}

// ExpectPasses runs the cases against the reference driver. All must pass with evidence, except those in but, which are
// about drivers that lack something that it has. It returns the ids of all cases.
func ExpectPasses(t *testing.T, areas []harness.Area, but ...mutation.Case) []string {
	t.Helper()
	var ids []string
	spool, err := wire.NewSpool(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = spool.Close() })
	result := Run(t, areas, mutation.Driver{Target: func(target *harness.Target) { target.Calls = spool }})
	if len(result.Cases) == 0 {
		t.Error("there are no cases")
	}
	excepted := func(c report.Case) bool {
		return slices.ContainsFunc(but, func(other mutation.Case) bool {
			return slices.Contains(strings.Fields(other.IDs), c.ID) && mutation.Said(c) == other.Of(c.ID)
		})
	}
	for _, c := range result.Cases {
		ids = append(ids, c.ID)
		if excepted(c) {
			continue
		}
		if c.Verdict != suite.Passed || c.Reason != "" {
			t.Errorf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
		}
		if c.Calls == nil {
			t.Errorf("case %s made no call", c.ID)
		}
	}
	return ids
}
