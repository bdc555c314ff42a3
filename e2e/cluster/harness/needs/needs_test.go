// SPDX-License-Identifier: Apache-2.0

package needs

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/plugins"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// meet returns the outcome of checking the needs on a target that lacks only the settings that its profile omits.
func meet(t *testing.T, target *harness.Target, needs []harness.Need) *suite.Mark {
	t.Helper()
	s := &harness.Scenario{Target: target, Driver: &plugins.All{}}
	if target.Controller != nil {
		claimed := []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY, csi.ControllerServiceCapability_RPC_LIST_VOLUMES}
		s.Driver.ByNode = map[string]*plugins.Plugin{"node": {Capabilities: claimed, Grows: true}}
	}
	needs = slices.DeleteFunc(slices.Clone(needs), func(n harness.Need) bool { return n.By == suite.ByEnvironment })
	var o suite.Outcome
	o.Run(func() { harness.Case{Needs: needs}.Meet(t.Context(), s) })
	return o.End
}

func TestMeetTheProfile(t *testing.T) {
	whole := func() *harness.Target {
		return &harness.Target{
			Controller: &harness.PodSocket{Control: "control.sock"}, Node: &harness.PodSocket{}, Capacity: profile.Exact, Disturb: harness.Disturb{Nodes: true, Driver: true, Capacity: true},
			Machines: struct{ harness.Machines }{},
		}
	}
	for _, c := range []struct {
		name    string
		needs   []harness.Need
		without func(*harness.Target)
	}{
		{"room, without a controller to ask", Room(), func(t *harness.Target) { t.Controller = nil }},
		{"expansion, without a controller to ask", Expansion(), func(t *harness.Target) { t.Controller = nil }},
		{"a capability, without a controller to ask", Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES), func(t *harness.Target) { t.Controller = nil }},
		{"an answer on nodes, without a socket there", NodeService(), func(t *harness.Target) { t.Node = nil }},
		{"logs, without a controller whose they are", Logs(), func(t *harness.Target) { t.Controller = nil }},
		{"a restart, without a socket on nodes", DriverRestart(), func(t *harness.Target) { t.Node = nil }},
		{"a stopped machine that is not allowed", StopsMachines(), func(t *harness.Target) { t.Disturb.Nodes = false }},
		{"a stopped machine, without a controller to leave alone", StopsMachines(), func(t *harness.Target) { t.Controller = nil }},
		{"a restart that is not allowed", DriverRestart(), func(t *harness.Target) { t.Disturb.Driver = false }},
		{"a full zone that is not allowed", Exhaustion(), func(t *harness.Target) { t.Disturb.Capacity = false }},
		{"recorded calls, of a controller on each node", Recorder(), func(t *harness.Target) { t.ControllerPerNode = true }},
		{"recorded calls, without a proxy", Recorder(), func(t *harness.Target) { t.Controller.Control = "" }},
		{"bytes that are not exact", ExactCapacity(), func(t *harness.Target) { t.Capacity = profile.AtLeast }},
		{"capacity from which nothing follows", Room(), func(t *harness.Target) { t.Capacity = profile.Untracked }},
		{"filling by capacity from which nothing follows", Exhaustion(), func(t *harness.Target) { t.Capacity = profile.Untracked }},
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
