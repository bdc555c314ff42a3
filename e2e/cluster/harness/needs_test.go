// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// meet returns how a case with the needs ends on a target that lacks nothing but what its profile does not say.
func meet(t *testing.T, target *Target, needs []Need) *suite.Mark {
	t.Helper()
	s := &Scenario{Target: target, driver: &plugins{}}
	if target.Controller != nil {
		claimed := []capability{csi.ControllerServiceCapability_RPC_GET_CAPACITY, csi.ControllerServiceCapability_RPC_LIST_VOLUMES}
		s.driver.byNode = map[string]*plugin{"node": {capabilities: claimed, grows: true}}
	}
	needs = slices.DeleteFunc(slices.Clone(needs), func(n Need) bool { return n.By == suite.ByEnvironment })
	var o suite.Outcome
	o.Run(func() { Case{Needs: needs}.Meet(t.Context(), s) })
	return o.End
}

func TestMeetTheProfile(t *testing.T) {
	whole := func() *Target {
		return &Target{
			Controller: &PodSocket{Control: "control.sock"}, Node: &PodSocket{}, Capacity: profile.Exact, Disturb: Disturb{Nodes: true, Driver: true, Capacity: true},
			Machines: struct{ Machines }{},
		}
	}
	for _, c := range []struct {
		name    string
		needs   []Need
		without func(*Target)
	}{
		{"room, without a controller to ask", Room(), func(t *Target) { t.Controller = nil }},
		{"expansion, without a controller to ask", Expansion(), func(t *Target) { t.Controller = nil }},
		{"a capability, without a controller to ask", Controller(csi.ControllerServiceCapability_RPC_LIST_VOLUMES), func(t *Target) { t.Controller = nil }},
		{"an answer on nodes, without a socket there", NodeService(), func(t *Target) { t.Node = nil }},
		{"a restart, without a socket on nodes", DriverRestart(), func(t *Target) { t.Node = nil }},
		{"a stopped machine that is not allowed", StopsMachines(), func(t *Target) { t.Disturb.Nodes = false }},
		{"a stopped machine, without a controller to leave alone", StopsMachines(), func(t *Target) { t.Controller = nil }},
		{"a restart that is not allowed", DriverRestart(), func(t *Target) { t.Disturb.Driver = false }},
		{"a full zone that is not allowed", Exhaustion(), func(t *Target) { t.Disturb.Capacity = false }},
		{"recorded calls, of a controller on each node", Recorder(), func(t *Target) { t.ControllerPerNode = true }},
		{"recorded calls, without a proxy", Recorder(), func(t *Target) { t.Controller.Control = "" }},
		{"bytes that are not exact", ExactCapacity(), func(t *Target) { t.Capacity = profile.AtLeast }},
		{"capacity from which nothing follows", Room(), func(t *Target) { t.Capacity = profile.Untracked }},
		{"filling by capacity from which nothing follows", Exhaustion(), func(t *Target) { t.Capacity = profile.Untracked }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if end := meet(t, whole(), c.needs); end != nil {
				t.Errorf("with everything: got %+v, want the case to run", end)
			}
			target := whole()
			c.without(target)
			if end := meet(t, target, c.needs); end == nil || end.Verdict != suite.Skipped || end.DecidedBy != suite.ByProfile {
				t.Errorf("got %+v, want the case skipped by the profile", end)
			}
		})
	}
}

func TestADriverThatNobodyCanAskClaimsNothing(t *testing.T) {
	s := &Scenario{Target: &Target{}}
	driver, err := s.connect(t.Context())
	if err != nil || driver.claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY) {
		t.Errorf("got %+v, %v", driver, err)
	}
}

func TestMeetWaivers(t *testing.T) {
	target := &Target{Waived: map[string]string{"CAP-04": "not yet", "retain": "never"}}
	for _, c := range []struct {
		name   string
		given  Case
		waived bool
	}{
		{"a case", Case{ID: "retain"}, true},
		{"a requirement", Case{ID: "other", Requirements: []string{"CAP-01", "CAP-04"}}, true},
		{"neither", Case{ID: "other", Requirements: []string{"CAP-01"}}, false},
	} {
		var o suite.Outcome
		o.Run(func() { target.meetWaivers(c.given) })
		if (o.End != nil) != c.waived || c.waived && o.End.DecidedBy != suite.ByWaiver {
			t.Errorf("%s: got %+v", c.name, o.End)
		}
	}
}
