// SPDX-License-Identifier: Apache-2.0

// Package vectors_test measures how many of the catalogue's topology faults the vectors alone detect: the driver's answer to a
// request for a volume, or for a snapshot, is one that the vector does not allow. It runs no case of the suite.
package vectors_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/catalogue"
	"github.com/csi-topo/csi-topo/e2e/mutation/placement"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/vectors"
)

// judge sends the request of every vector to a driver with the fault, and judges each answer, until a verdict is enough.
func (f *fleet) judge(t *testing.T, fault mutation.Fault, ask asking, enough func(v vectors.Vector, s said, verdict vectors.Verdict) bool) {
	t.Helper()
	const patience = 10 * time.Second // for a driver that never answers
	for _, v := range f.file.Vectors {
		d := f.driver(t, v)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		all := ask(ctx, f, d, fault, v)
		cancel()
		if err := d.empty(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if enough(v, s, f.file.Judge(v, s.answer)) {
				return
			}
		}
	}
}

// verdicts returns the verdict on each answer of the correct driver, by vector and RPC. It fails the test if one is forbidden.
func (f *fleet) verdicts(t *testing.T, ask asking) map[string]vectors.Verdict {
	t.Helper()
	found := map[string]vectors.Verdict{}
	f.judge(t, mutation.Fault{}, ask, func(v vectors.Vector, s said, verdict vectors.Verdict) bool {
		if found[v.ID+s.rpc] = verdict; verdict == vectors.Forbidden {
			t.Errorf("the reference driver's %s answers %s, which is forbidden, to %s", s.rpc, f.spelled(s.answer), v)
		}
		return false
	})
	return found
}

func TestReferenceDriverPassesEveryVector(t *testing.T) {
	f := newFleet(t)
	volumes, snapshots := f.verdicts(t, askVolume), f.verdicts(t, askSnapshot)
	for _, v := range f.file.Vectors {
		if volumes[v.ID+"CreateVolume"] == "" {
			t.Errorf("the reference driver was not asked for a volume by %s", v)
		}
	}
	if len(snapshots) == 0 {
		t.Error("the reference driver was asked for no snapshot")
	}
}

// TestRightDriversPassEveryVector runs the vectors against the correct drivers in the package of placement faults.
func TestRightDriversPassEveryVector(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some drivers more, which takes a minute")
	}
	f := newFleet(t)
	drivers := placement.Drivers()
	for _, name := range slices.Sorted(maps.Keys(drivers)) {
		if slices.ContainsFunc(drivers[name].Cases, func(c mutation.Case) bool { return c.Verdict != suite.Passed }) || drivers[name].Options != nil || drivers[name].Target != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			f.judge(t, drivers[name].Fault, askVolume, func(v vectors.Vector, s said, verdict vectors.Verdict) bool {
				if verdict == vectors.Forbidden {
					t.Errorf("%s answers %s, which is forbidden, to %s", s.rpc, f.spelled(s.answer), v)
				}
				return t.Failed()
			})
		})
	}
}

// TestTopologyFaults prints which faults the vectors detect: in a wrong driver by a forbidden answer, and in a driver that gets
// a warning also by a discouraged answer, if the reference driver's answer is allowed.
func TestTopologyFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("asks every vector of each driver that the vectors do not kill, which takes minutes")
	}
	const wanted = 80 // percent
	f := newFleet(t)
	parts := []struct {
		faults func(mutation.Mutant) bool
		ask    asking
	}{
		{func(m mutation.Mutant) bool { return strings.HasPrefix(m.ID, "placement/") }, askVolume},
		{func(m mutation.Mutant) bool { return m.Focus == "topology of snapshots" }, askSnapshot},
	}
	var table strings.Builder
	all, killed, atOnce := 0, 0, 0
	for _, part := range parts {
		right := f.verdicts(t, part.ask)
		for _, m := range catalogue.All() {
			if m.Kind == mutation.Conformant || !part.faults(m) {
				continue
			}
			all++
			by := "not killed"
			f.judge(t, m.Fault, part.ask, func(v vectors.Vector, s said, verdict vectors.Verdict) bool {
				worse := verdict == vectors.Forbidden || m.Kind == mutation.WarnedOf && verdict == vectors.Discouraged && right[v.ID+s.rpc] == vectors.Allowed
				if worse {
					killed++
					by = fmt.Sprintf("%s: %s answers %s, which is %s", v.ID, s.rpc, f.spelled(s.answer), verdict)
				}
				if worse && strings.HasPrefix(s.rpc, "Create") {
					atOnce++
				}
				return worse
			})
			fmt.Fprintf(&table, "%s (%s)\n    %s\n", m.ID, m.Kind, by)
		}
	}
	t.Logf("the vectors kill %d of %d faults, %d of them by the answer to CreateVolume or CreateSnapshot:\n%s", killed, all, atOnce, table.String())
	if killed*100 < wanted*all {
		t.Errorf("the vectors kill %d of %d faults, want %d %% of them", killed, all, wanted)
	}
}
