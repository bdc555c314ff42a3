// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/mutation/deployed"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// reference is the name of the driver without a fault.
const reference = "reference"

// trial is a fault on a cluster, with the cases that must find it.
type trial struct {
	id, text string
	// clauses are the clauses that these cases must name, and cases their ids.
	clauses, cases []string
	// right says that there is no fault.
	right bool
	// quick says that cases that take minutes are left out.
	quick bool
	// rules make a faulty driver or provisioner.
	rules harness.Rules
	// apply makes the cluster faulty until undo; nil if the rules are enough.
	apply func(ctx context.Context) (undo func(context.Context) error, err error)
}

// trials returns all trials: first the correct drivers, for which no case may fail.
func (o *options) trials() []trial {
	right := []trial{{id: "right/" + reference, text: "the reference driver, as it is", right: true}}
	for _, d := range deployed.Right() {
		right = append(right, trial{id: "right/" + d.ID, text: d.Text, right: true, quick: true, rules: d.Rules})
	}
	var wrong []trial
	for _, d := range deployed.Drivers() {
		wrong = append(wrong, trial{id: "driver/" + d.ID, text: d.Text, clauses: strings.Fields(d.Clauses), cases: d.Caught, rules: d.Rules})
	}
	for _, s := range deployed.Schedulers() {
		wrong = append(wrong, trial{
			id: "scheduler/" + s.ID, text: s.Text, clauses: strings.Fields(s.Clauses), cases: s.Caught,
			apply: func(ctx context.Context) (func(context.Context) error, error) {
				return o.withoutPlugins(ctx, s.Disabled)
			},
		})
	}
	for _, p := range deployed.Policies() {
		wrong = append(wrong, trial{
			id: "cluster/" + p.ID, text: p.Text, clauses: strings.Fields(p.Clauses), cases: p.Caught,
			apply: func(ctx context.Context) (func(context.Context) error, error) { return o.withPolicy(ctx, p) },
		})
	}
	var cases []string
	for _, t := range wrong {
		cases = append(cases, t.cases...)
	}
	slices.Sort(cases)
	cases = slices.Compact(cases)
	for i := range right {
		right[i].cases = cases
	}
	return append(right, wrong...)
}

// caughtBy returns the cases that find the fault: they fail or warn by its clauses. If there is no fault, they are false
// alarms.
func (t trial) caughtBy(cases []report.Case) []string {
	var by []string
	for _, c := range cases {
		switch {
		case t.right && (c.Verdict == suite.Failed || c.Verdict == suite.Errored),
			!t.right && (c.Verdict == suite.Failed || c.Verdict == suite.Warned) && t.explains(c):
			by = append(by, c.ID)
		}
	}
	slices.Sort(by)
	return by
}

// explains reports whether a case's finding is about the fault: it blames one of the trial's clauses. A case that blames
// none may be about any clause that it verifies, so all of these must be the trial's.
func (t trial) explains(c report.Case) bool {
	if len(c.Blamed) > 0 {
		return slices.ContainsFunc(c.Blamed, func(clause string) bool { return slices.Contains(t.clauses, clause) })
	}
	others := func(clause string) bool { return !slices.Contains(t.clauses, clause) }
	return len(c.Requirements) > 0 && !slices.ContainsFunc(c.Requirements, others)
}

// about returns the clauses that a case is about.
func about(c report.Case) string {
	if len(c.Blamed) > 0 {
		return strings.Join(c.Blamed, " ")
	}
	return "one of " + strings.Join(c.Requirements, " ")
}

// missed describes the result of each case that had to find the fault, and did not.
func (t trial) missed(cases []report.Case) []string {
	if t.right {
		return nil
	}
	by := t.caughtBy(cases)
	var missed []string
	for _, id := range t.cases {
		if slices.Contains(by, id) {
			continue
		}
		said := "did not run"
		for _, c := range cases {
			if c.ID == id {
				first, _, _ := strings.Cut(c.Message+c.Reason, "\n")
				said = fmt.Sprintf("%s of %s: %s", c.Verdict, about(c), first)
			}
		}
		missed = append(missed, id+": "+said)
	}
	return missed
}

// met reports whether Kubernetes' suite, which starts no separate provisioner, can observe the fault.
func (t trial) met() bool { return t.right || t.injects() }

// injects reports whether proxies change requests to the driver, or its answers.
func (t trial) injects() bool { return len(t.rules.Controller)+len(t.rules.Node) > 0 }
