// SPDX-License-Identifier: Apache-2.0

package spectest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Case is what some cases say of a driver.
type Case struct {
	ids     string
	verdict verdict.Verdict
	// about are the clauses that a failure or a warning is about, space separated, and all of them.
	about string
	// decidedBy is who decided that a case is skipped.
	decidedBy verdict.DecidedBy
}

// Fails says that the cases of these ids fail by exactly these clauses; both lists are space separated.
func Fails(ids, clauses string) Case { return Case{ids: ids, verdict: verdict.Fail, about: clauses} }

// Warns is Fails for warnings.
func Warns(ids, clauses string) Case { return Case{ids: ids, verdict: verdict.Warning, about: clauses} }

// Errs says that the cases end as errors.
func Errs(ids string) Case { return Case{ids: ids, verdict: verdict.Error} }

// Skips says that the cases are skipped, and who decided so.
func Skips(ids string, by verdict.DecidedBy) Case {
	return Case{ids: ids, verdict: verdict.Skipped, decidedBy: by}
}

// Passes says that the cases pass.
func Passes(ids string) Case { return Case{ids: ids, verdict: verdict.Pass} }

// got is what a case said, as the test would have to expect it.
func got(c report.Case) Case {
	said := Case{ids: c.ID, verdict: c.Verdict}
	switch c.Verdict {
	case verdict.Fail, verdict.Warning:
		said.about = strings.Join(c.Blamed, " ")
	case verdict.Skipped:
		said.decidedBy = c.DecidedBy
	case verdict.Pass, verdict.Error:
	}
	return said
}

// of is what is expected of one of the cases.
func (c Case) of(id string) Case {
	clauses := strings.Fields(c.about)
	slices.Sort(clauses)
	return Case{id, c.verdict, strings.Join(clauses, " "), c.decidedBy}
}

// Expectation is a driver and what the cases say of it.
type Expectation struct {
	Driver
	Cases []Case
	// Wide says that no cases are run besides those named: the fault shows in more of them, or there is nothing to learn
	// from the rest. Otherwise it must show in no others.
	Wide bool
}

// Drivers are those of the expectations, for Main.
func Drivers(wanted map[string]Expectation) map[string]Driver {
	drivers := map[string]Driver{}
	for name, expectation := range wanted {
		if expectation.Wide {
			expectation.only = expectation.named()
		}
		drivers[name] = expectation.Driver
	}
	return drivers
}

// named are the ids of the cases of which something is expected.
func (e Expectation) named() []string {
	var ids []string
	for _, c := range e.Cases {
		ids = append(ids, strings.Fields(c.ids)...)
	}
	return ids
}

// Wrong are drivers with these faults, and by their names what cases say of them. A fault without expectation, or the
// other way about, does not pass Judge.
func Wrong(faults map[string]Fault, catches map[string][]Case, wide func(name string) bool) map[string]Expectation {
	wanted := map[string]Expectation{}
	for name := range catches {
		wanted[name] = Expectation{Cases: catches[name], Wide: wide(name)}
	}
	for name, fault := range faults {
		wanted[name] = Expectation{Driver: Driver{Fault: fault}, Cases: catches[name], Wide: wide(name)}
	}
	return wanted
}

// Judge shows that the cases judge: the reference driver passes them all, but for those named, each of the drivers gets
// what is expected, and each case catches at least one of them.
func Judge(t *testing.T, wanted map[string]Expectation, but ...Case) {
	t.Helper()
	caught := map[string]bool{}
	for name, expectation := range wanted {
		if len(expectation.Cases) == 0 {
			t.Errorf("nothing is expected of the driver %q", name)
		}
		for _, c := range expectation.Cases {
			for id := range strings.FieldsSeq(c.ids) {
				caught[id] = caught[id] || c.verdict == verdict.Fail || c.verdict == verdict.Warning
			}
		}
	}
	for _, id := range ExpectPasses(t, but...) {
		if !caught[id] {
			t.Errorf("case %s catches none of the drivers: which wrong one does it not let through?", id)
		}
	}
	Expect(t, wanted)
}

// Expect runs the cases against each of the drivers, and holds their verdicts against what is expected.
func Expect(t *testing.T, wanted map[string]Expectation) {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := map[string]report.Case{}
			for _, c := range Run(t, name).Cases {
				found[c.ID] = c
			}
			for _, want := range wanted[name].Cases {
				for _, id := range strings.Fields(want.ids) {
					if got := got(found[id]); got != want.of(id) {
						t.Errorf("case %s: got %+v, want %+v\n%s%s", id, got, want.of(id), found[id].Reason, found[id].Message)
					}
					delete(found, id)
				}
			}
			others(t, found)
		})
	}
}

// others checks the cases that no expectation names.
func others(t *testing.T, cases map[string]report.Case) {
	t.Helper()
	for _, other := range cases {
		if other.Verdict == verdict.Error {
			t.Errorf("case %s ended as an error: %s %s", other.ID, other.Reason, other.Message)
		}
		if other.Verdict == verdict.Fail || other.Verdict == verdict.Warning {
			t.Errorf("case %s should not see the fault: %s\n%s", other.ID, other.Verdict, other.Message)
		}
	}
}

// ExpectPasses runs the cases against the reference driver, which passes them all with evidence, but for those that are
// about drivers which lack what it has. It returns the ids of all cases.
func ExpectPasses(t *testing.T, but ...Case) []string {
	t.Helper()
	var ids []string
	result := Run(t, Reference)
	if len(result.Cases) == 0 {
		t.Error("there are no cases")
	}
	excepted := func(c report.Case) bool {
		return slices.ContainsFunc(but, func(other Case) bool {
			return slices.Contains(strings.Fields(other.ids), c.ID) && got(c) == other.of(c.ID)
		})
	}
	for _, c := range result.Cases {
		ids = append(ids, c.ID)
		if excepted(c) {
			continue
		}
		if c.Verdict != verdict.Pass || c.Reason != "" {
			t.Errorf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
		}
		if c.Calls == nil {
			t.Errorf("case %s made no call", c.ID)
		}
	}
	return ids
}
