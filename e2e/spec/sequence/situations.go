// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// situation is a state in which drivers have been wrong, and which a run should meet.
type situation struct {
	name string
	// has reports whether the driver's claims allow it, and is whether the volume of the last step is in it.
	has func(Shape) bool
	is  func(s *sequence, step Step, v *volume) bool
}

func situations() []situation {
	always := func(Shape) bool { return true }
	attach := func(shape Shape) bool { return shape.Attach && shape.Nodes > 0 }
	several := func(shape Shape) bool { return attach(shape) && shape.Nodes > 1 }
	nodes := func(shape Shape) bool { return shape.Nodes > 0 }
	grow := func(shape Shape) bool { return shape.Grow }
	snapshots := func(shape Shape) bool { return shape.Snapshots }
	copies := func(shape Shape) bool { return shape.Snapshots || shape.Clones }
	both := func(one, other func(Shape) bool) func(Shape) bool {
		return func(shape Shape) bool { return one(shape) && other(shape) }
	}
	return []situation{
		{"a call for a deleted volume", always, func(_ *sequence, _ Step, v *volume) bool { return v.id != "" && !v.exists }},
		{"the same call twice at the same time", always, func(_ *sequence, step Step, _ *volume) bool { return step.Twice }},
		{"calls for several volumes at the same time", always, func(_ *sequence, step Step, _ *volume) bool { return len(step.Beside) > 0 }},
		{"a segment without room", func(shape Shape) bool { return shape.Room }, func(s *sequence, step Step, _ *volume) bool {
			return s.room.told && s.room.places[step.Segment%len(s.room.places)].fits() < s.driver.Size()
		}},
		{"a volume that has grown", grow, func(_ *sequence, _ Step, v *volume) bool { return v.grown }},
		{"a volume that has grown, on a node", both(grow, nodes), func(_ *sequence, _ Step, v *volume) bool { return v.grown && v.isBusy() }},
		{"a copy", copies, func(_ *sequence, _ Step, v *volume) bool { return v.is.generation() > 0 }},
		{"a copy of a copy", copies, func(_ *sequence, _ Step, v *volume) bool { return v.is.generation() > 1 }},
		{"a copy whose source is deleted", copies, func(_ *sequence, _ Step, v *volume) bool {
			return v.exists && v.is.source != nil && !v.is.source.exists()
		}},
		{"a copy on a node", both(copies, nodes), func(_ *sequence, _ Step, v *volume) bool { return v.is.source != nil && v.isUsed() }},
		{"a snapshot of a volume on a node", both(snapshots, nodes), func(_ *sequence, step Step, v *volume) bool { return step.Move == Snapshot && v.isBusy() }},
		{"a volume on two nodes", several, func(_ *sequence, _ Step, v *volume) bool { return len(v.nodes()) > 1 }},
		{"a volume that a node uses", nodes, func(_ *sequence, _ Step, v *volume) bool { return v.isUsed() }},
		{"a block device that a node uses", func(shape Shape) bool { return nodes(shape) && shape.usesDevices() }, func(_ *sequence, _ Step, v *volume) bool {
			return v.isUsed() && (v.is.use == Device || v.is.use == SharedDevice)
		}},
		{"a volume with data", func(shape Shape) bool { return nodes(shape) && shape.Data }, func(_ *sequence, _ Step, v *volume) bool { return v.holds != "" }},
	}
}

// note counts the situations of the step's volume.
func (l *learned) note(s *sequence, step Step) {
	v := s.volumes[step.Name]
	if l.met == nil || v == nil {
		return
	}
	for _, situation := range situations() {
		if situation.is(s, step, v) {
			l.met[situation.name]++
		}
	}
}

// reportMet adds to the report in how many steps the run met each situation, and the other situations that the driver's
// claims allow.
func (l *learned) reportMet(ctx context.Context, shape Shape) {
	var missed []string
	for _, situation := range situations() {
		if situation.has(shape) && l.met[situation.name] == 0 {
			missed = append(missed, situation.name)
		}
	}
	suite.Evidence(ctx, "situations met, in steps", l.met)
	if len(missed) > 0 {
		suite.Evidence(ctx, "situations not met", missed)
	}
}
