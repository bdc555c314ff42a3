// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"encoding/json"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

func in(zones ...string) []*csi.Topology {
	var topologies []*csi.Topology
	for _, zone := range zones {
		topologies = append(topologies, &csi.Topology{Segments: Segment{"zone": zone}})
	}
	return topologies
}

func TestWhatTheProvisionerAsked(t *testing.T) {
	a, b := Segment{"zone": "a"}, Segment{"zone": "b"}
	asked := func(name string) trace.Call {
		return trace.Call{Method: "CreateVolume", Request: json.RawMessage(name), Code: "OK"}
	}
	driver := func(code string) trace.Call { return trace.Call{Code: code} }
	rule := func(code string) trace.Call { return trace.Call{Code: code, Injected: &trace.Injection{Rule: "r"}} }
	for _, test := range []struct {
		name  string
		given error
		holds bool
	}{
		{"the topologies in order", Asked("requisite", in("a", "b"), a, b), true},
		{"another order", Asked("requisite", in("b", "a"), a, b), false},
		{"one too many", Asked("requisite", in("a", "b"), a), false},
		{"requisite itself", Rotated(in("a", "b", "c"), in("a", "b", "c")), true},
		{"beginning at the last", Rotated(in("a", "b", "c"), in("c", "a", "b")), true},
		{"turned round", Rotated(in("a", "b", "c"), in("c", "b", "a")), false},
		{"one of two", Rotated(in("a", "b"), in("a")), false},
		{"the same request", AskedAlike([]trace.Call{asked("1"), asked("1")}), true},
		{"another request", AskedAlike([]trace.Call{asked("1"), asked("2")}), false},
		{"a node that is kept", SelectedOnce([]string{"", "w1"}), true},
		{"a node that is taken back", SelectedOnce([]string{"", "w1", "", "w1"}), false},
		{"two nodes", SelectedOnce([]string{"", "w1", "w2"}), false},
		{"no node", SelectedOnce([]string{""}), false},
		{"one that leads", OneLeads([]string{"a"}), true},
		{"two that lead", OneLeads([]string{"a", "b"}), false},
		{"no call", AskedOnce(nil), false},
		{"a call", AskedOnce([]trace.Call{driver("OK")}), true},
		{"refused twice, and then created", AskedUntilOK(2)([]trace.Call{rule("ABORTED"), rule("ABORTED"), driver("OK")}), true},
		{"created after a while", AskedUntilOK(1)([]trace.Call{rule("INTERNAL"), driver("ABORTED"), driver("OK")}), true},
		{"not created yet", AskedUntilOK(1)([]trace.Call{rule("INTERNAL"), driver("ABORTED")}), false},
		{"refused too seldom", AskedUntilOK(2)([]trace.Call{rule("INTERNAL"), driver("OK")}), false},
		{"no call at all", AskedUntilOK(1)(nil), false},
	} {
		if (test.given == nil) != test.holds {
			t.Errorf("%s: got %v, want it to hold: %t", test.name, test.given, test.holds)
		}
	}
}

func TestWhoAnswered(t *testing.T) {
	calls := []trace.Call{
		{Number: 1, Code: "ABORTED", Injected: &trace.Injection{}}, {Number: 2, Code: "OK", Injected: &trace.Injection{}},
		{Number: 3, Code: "ABORTED"}, {Number: 4, Code: "RESOURCE_EXHAUSTED"}, {Number: 5, Code: "OK"},
	}
	if first, found := FirstOK(calls); !found || first.Number != 2 {
		t.Errorf("the first OK of a rule is call %d, want 2", first.Number)
	}
	if got := Refused(calls); len(got) != 1 || got[0].Number != 4 {
		t.Errorf("the driver refused %v, want call 4 alone", got)
	}
	if got := len(Injected(calls)); got != 2 {
		t.Errorf("%d calls were answered by a rule, want 2", got)
	}
}

func TestActsAgain(t *testing.T) {
	wantVerdict(t, ActsAgain("pod-1"), satisfied)
	wantVerdict(t, ActsAgain(""), differs, "none")
}

func TestEachAskedFor(t *testing.T) {
	asked := func(requisite string) trace.Call {
		return trace.Call{Method: "/csi.v1.Controller/CreateVolume", Request: []byte(`{"name":"v","accessibility_requirements":{"requisite":[` + requisite + `]}}`)}
	}
	const here, there = `{"segments":{"region":"R1","zone":"Z2"}}`, `{"segments":{"region":"R1","zone":"Z3"}}`
	wantVerdict(t, EachAskedFor(nil, z2), satisfied)
	wantVerdict(t, EachAskedFor([]trace.Call{asked(here), asked(here)}, z2), satisfied)
	wantVerdict(t, EachAskedFor([]trace.Call{asked(here), asked(there)}, z2), forGood, "Z3")
	wantVerdict(t, EachAskedFor([]trace.Call{asked(here + "," + there)}, z2), forGood)
	wantVerdict(t, EachAskedFor([]trace.Call{{Request: []byte(`{`)}}, z2), notYet)
}
