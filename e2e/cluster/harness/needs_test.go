// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestMeetTarget(t *testing.T) {
	whole := func() *Target {
		return &Target{
			Controller: &PodSocket{Control: "control.sock"}, Node: &PodSocket{}, Capacity: profile.Exact, Disturb: Disturb{Nodes: true, Driver: true, Capacity: true},
			Machines: struct{ Machines }{},
		}
	}
	for _, c := range []struct {
		name    string
		needs   Needs
		without func(*Target)
	}{
		{"room, without a controller to ask", Needs{Room: true}, func(t *Target) { t.Controller = nil }},
		{"expansion, without a controller to ask", Needs{Expansion: true}, func(t *Target) { t.Controller = nil }},
		{"a capability, without a controller to ask", Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_LIST_VOLUMES}}, func(t *Target) { t.Controller = nil }},
		{"an answer on nodes, without a socket there", Needs{Node: true}, func(t *Target) { t.Node = nil }},
		{"a restart, without a socket on nodes", Needs{DriverRestart: true}, func(t *Target) { t.Node = nil }},
		{"a stopped machine that is not allowed", Needs{Machines: true}, func(t *Target) { t.Disturb.Nodes = false }},
		{"a stopped machine, without a controller to leave alone", Needs{Machines: true}, func(t *Target) { t.Controller = nil }},
		{"a restart that is not allowed", Needs{DriverRestart: true}, func(t *Target) { t.Disturb.Driver = false }},
		{"a full zone that is not allowed", Needs{Exhaustion: true}, func(t *Target) { t.Disturb.Capacity = false }},
		{"recorded calls, of a controller on each node", Needs{Recorder: true}, func(t *Target) { t.ControllerPerNode = true }},
		{"recorded calls, without a proxy", Needs{Recorder: true}, func(t *Target) { t.Controller.Control = "" }},
		{"bytes that are not exact", Needs{ExactCapacity: true}, func(t *Target) { t.Capacity = profile.AtLeast }},
		{"capacity from which nothing follows", Needs{Room: true}, func(t *Target) { t.Capacity = profile.Untracked }},
		{"filling by capacity from which nothing follows", Needs{Exhaustion: true}, func(t *Target) { t.Capacity = profile.Untracked }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var met, missing suite.Outcome
			met.Run(func() { c.needs.meetTarget(whole()) })
			if met.End != nil {
				t.Errorf("with everything: got %+v, want the case to run", met.End)
			}
			target := whole()
			c.without(target)
			missing.Run(func() { c.needs.meetTarget(target) })
			if missing.End == nil || missing.End.Verdict != suite.Skipped || missing.End.DecidedBy != suite.ByProfile {
				t.Errorf("got %+v, want the case skipped by the profile", missing.End)
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
