// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Expectation is a driver with the expected results of cases.
type Expectation struct {
	Driver
	Cases []Case
	// Wide reports that only the named cases are run: the fault shows in more cases, or the other cases reveal nothing new.
	// Otherwise the fault must show in no other case.
	Wide bool
	// AnyClause says that the cases name some of the expected clauses, and not all.
	AnyClause bool
	// SeenIn names real drivers with the same behaviour: the version or commit that was run or read, or the issue that
	// reports it. It is empty if none is known.
	SeenIn string
}

// Seen returns the expectation with the real drivers that behave the same.
func (e Expectation) Seen(in string) Expectation {
	e.SeenIn = in
	return e
}

// Kind classifies the driver by its expected results. It is empty if the driver, or the set of endpoints, only lacks
// something: such a driver shows the needs of a case.
func (e Expectation) Kind() Kind {
	says := map[suite.Verdict]bool{}
	for _, c := range e.Cases {
		says[c.Verdict] = true
	}
	switch {
	case says[suite.Failed]:
		return Faulty
	case says[suite.Warned]:
		return WarnedOf
	default:
		return ""
	}
}

// Unexpected describes each named case whose result differs from the expected one.
func (e Expectation) Unexpected(cases []report.Case) []string {
	found := map[string]report.Case{}
	for _, c := range cases {
		found[c.ID] = c
	}
	var unexpected []string
	for _, want := range e.Cases {
		for id := range strings.FieldsSeq(want.IDs) {
			c := found[id]
			if got := Said(c); got != want.Of(id) && !(e.AnyClause && want.names(c)) {
				unexpected = append(unexpected, fmt.Sprintf("case %s: got %+v, want %+v\n%s%s", id, got, want.Of(id), c.Reason, c.Message))
			}
		}
	}
	return unexpected
}

// Named returns the ids of the cases with an expected result.
func (e Expectation) Named() []string {
	var ids []string
	for _, c := range e.Cases {
		ids = append(ids, strings.Fields(c.IDs)...)
	}
	return ids
}

// Drivers returns the drivers of the expectations, each with the cases that are run against it.
func Drivers(wanted map[string]Expectation) map[string]Driver {
	drivers := map[string]Driver{}
	for name, expectation := range wanted {
		if expectation.Wide {
			expectation.Only = expectation.Named()
		}
		drivers[name] = expectation.Driver
	}
	return drivers
}

// Union returns the drivers of all parts, which have different texts.
func Union(parts ...map[string]Expectation) map[string]Expectation {
	all := map[string]Expectation{}
	for _, part := range parts {
		for text, expectation := range part {
			if _, taken := all[text]; taken {
				panic(fmt.Sprintf("two drivers have the text %q: change one", text))
			}
			all[text] = expectation
		}
	}
	return all
}

// Focused returns the drivers with the regular expression for the cases that are run against them.
func Focused(focus string, drivers map[string]Expectation) map[string]Expectation {
	for text, expectation := range drivers {
		expectation.Focus = focus
		drivers[text] = expectation
	}
	return drivers
}

// Expect returns the expectation that the named cases find the fault of the driver, and no other cases do. If all are
// expected to pass, the driver is harmless.
func Expect(driver Driver, cases ...Case) Expectation {
	return Expectation{Driver: driver, Cases: cases}
}

// ExpectWide is like Expect, for a driver that is wrong in more cases than the named ones.
func ExpectWide(driver Driver, cases ...Case) Expectation {
	return Expectation{Driver: driver, Cases: cases, Wide: true}
}

// Wrong is like Expect, for a driver that has only a fault.
func Wrong(fault Fault, cases ...Case) Expectation { return Expect(Driver{Fault: fault}, cases...) }

// Wide is like ExpectWide, for a driver that has only a fault.
func Wide(fault Fault, cases ...Case) Expectation { return ExpectWide(Driver{Fault: fault}, cases...) }

// Without returns a correct driver that lacks the capability.
func Without(capability protoreflect.Enum, cases ...Case) Expectation {
	return Wrong(Lacking(capability), cases...)
}

// WithoutTopology returns a driver whose volumes and snapshots are accessible from everywhere.
func WithoutTopology(cases ...Case) Expectation {
	return Expect(Driver{Options: InOneSegment, Fault: Lacking(Topology...)}, cases...)
}

// Started returns the correct driver, started with other options.
func Started(options func(*embedded.Options), cases ...Case) Expectation {
	return Expect(Driver{Options: options}, cases...)
}

// Told returns the correct driver with a changed target for the cases.
func Told(target func(*harness.Target), cases ...Case) Expectation {
	return Expect(Driver{Target: target}, cases...)
}

// Case is the expected result of some cases for a driver.
type Case struct {
	// IDs are the ids of the cases, space separated.
	IDs     string
	Verdict suite.Verdict
	// About lists all clauses that a failure or a warning is about, space separated.
	About string
	// DecidedBy says who decided that a case is skipped.
	DecidedBy suite.DecidedBy
}

// Fails returns the expectation that the cases with these ids fail by exactly these clauses; both lists
// are space separated.
func Fails(ids, clauses string) Case { return Case{IDs: ids, Verdict: suite.Failed, About: clauses} }

// Warns is like Fails, for warnings.
func Warns(ids, clauses string) Case { return Case{IDs: ids, Verdict: suite.Warned, About: clauses} }

// Errs returns the expectation that the cases end as errors.
func Errs(ids string) Case { return Case{IDs: ids, Verdict: suite.Errored} }

// Skips returns the expectation that the cases are skipped by this decision.
func Skips(ids string, by suite.DecidedBy) Case {
	return Case{IDs: ids, Verdict: suite.Skipped, DecidedBy: by}
}

// Passes returns the expectation that the cases pass.
func Passes(ids string) Case { return Case{IDs: ids, Verdict: suite.Passed} }

// Said returns the result of a case in the form of an expectation.
func Said(c report.Case) Case {
	said := Case{IDs: c.ID, Verdict: c.Verdict}
	switch c.Verdict {
	case suite.Failed, suite.Warned:
		said.About = strings.Join(c.Blamed, " ")
	case suite.Skipped:
		said.DecidedBy = c.DecidedBy
	case suite.Passed, suite.Errored:
	}
	return said
}

// Of returns the expectation for one of the cases.
func (c Case) Of(id string) Case {
	clauses := strings.Fields(c.About)
	slices.Sort(clauses)
	return Case{id, c.Verdict, strings.Join(clauses, " "), c.DecidedBy}
}

// names reports whether the case has the expected verdict, by some of the expected clauses.
func (c Case) names(found report.Case) bool {
	clauses := strings.Fields(c.About)
	return found.Verdict == c.Verdict && slices.ContainsFunc(found.Blamed, func(clause string) bool { return slices.Contains(clauses, clause) })
}
