// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
)

// sequence carries out a plan on the driver.
type sequence struct {
	driver *harness.Driver
	room   room
	// volumes and snapshots are indexed by the numbers of their names.
	volumes   map[int]*volume
	snapshots map[int]*snapshot
	// deleted holds the ids of deleted volumes.
	deleted map[string]bool
	// waived holds the clauses by which no answer is judged.
	waived  map[string]bool
	learned *learned
	// exclusive holds the kinds of single-node volumes that were refused to a second node with FAILED_PRECONDITION.
	exclusive map[publishable]bool
	// hasty reports that the sequence does not wait for the driver to settle.
	hasty bool
	// together reports that other calls ran concurrently with the judged one.
	together bool
	// end is the time after which no step is taken.
	end time.Time

	// taken is the number of steps that were carried out, and done holds the outcomes of the steps that were not left
	// out.
	taken int
	done  []outcome
}

// begin surveys a driver on which the case has made nothing.
func (c *campaign) begin(ctx context.Context) *sequence {
	if c.learned.looking.began.IsZero() {
		c.learned.looking.began = time.Now()
	}
	return &sequence{
		driver: c.driver, room: survey(ctx, c.driver), volumes: map[int]*volume{}, snapshots: map[int]*snapshot{},
		deleted: map[string]bool{}, exclusive: map[publishable]bool{}, waived: c.waived, learned: &c.learned, end: c.end,
	}
}

// shape returns the shape of plans for the driver.
func (s *sequence) shape() Shape {
	d, claims := s.driver, s.driver.Claims
	expands := d.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE) || d.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_OFFLINE)
	stages := func(n *harness.Node) bool { return n.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) }
	grows := func(n *harness.Node) bool { return n.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) }
	tells := func(n *harness.Node) bool { return n.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS) }
	shape := Shape{
		Segments:      len(d.Zones(asksFor)),
		Uses:          []Use{Shared, Readers},
		Nodes:         len(d.Nodes),
		Room:          s.room.told,
		Grow:          claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) && expands,
		List:          d.ListsVolumes(),
		Get:           claims(csi.ControllerServiceCapability_RPC_GET_VOLUME),
		Attach:        claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME),
		ReadOnly:      claims(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY),
		Stage:         slices.ContainsFunc(d.Nodes, stages),
		NodeGrow:      slices.ContainsFunc(d.Nodes, grows),
		Snapshots:     claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT),
		Clones:        claims(csi.ControllerServiceCapability_RPC_CLONE_VOLUME),
		ListSnapshots: d.ListsSnapshots(),
		GetSnapshot:   claims(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT),
		Stats:         !d.Profile().FakeNodes && slices.ContainsFunc(d.Nodes, tells),
		Data:          data.ShowsData(d),
		Restart:       d.Target.Restart != nil,
	}
	if d.Profile().Block && d.Profile().HasMount() {
		shape.Uses = append(shape.Uses, Device, SharedDevice)
	}
	sharedByPods := func(n *harness.Node) bool { return n.Claims(csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) }
	if claims(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER) && slices.ContainsFunc(d.Nodes, sharedByPods) {
		shape.Pods = true
	}
	for _, x := range d.Profile().Numbers() {
		if x <= max(1, len(s.room.places)) {
			shape.Kinds = append(shape.Kinds, x)
		}
	}
	return shape
}

// carryOut takes the plan's steps, up to the first whose answer is wrong, or until the time is over.
func (s *sequence) carryOut(ctx context.Context, plan []Step) {
	s.taken = follow(plan, func() bool { return time.Now().After(s.end) }, func(step Step) (goOn bool) {
		if step.Look && s.learned.looking.isDear() {
			return true
		}
		began := time.Now()
		done, meant := s.take(ctx, step)
		if step.Look {
			s.learned.looking.took += time.Since(began)
		}
		if !meant {
			return true
		}
		done.waive(s.waived)
		s.done = append(s.done, done)
		return !done.lost && len(done.broken) == 0
	})
}

// follow takes the steps of a plan, up to the first after which the plan does not go on, or until the time is over. It
// returns the number of steps that it took.
func follow(plan []Step, over func() bool, take func(Step) (goOn bool)) (taken int) {
	for _, step := range plan {
		if over() {
			return taken
		}
		taken++
		if !take(step) {
			return taken
		}
	}
	return taken
}

// failure returns the first fault of the last answer; the zero Reason if there is none.
func (s *sequence) failure() model.Reason {
	if len(s.done) == 0 || len(s.done[len(s.done)-1].broken) == 0 {
		return model.Reason{}
	}
	return s.done[len(s.done)-1].broken[0]
}

// take carries one step out. It leaves out a step about an object that never existed, or that no CO requests from the
// driver.
func (s *sequence) take(ctx context.Context, step Step) (done outcome, meant bool) {
	var calls []call
	for _, request := range slices.Concat([]Step{step}, step.Beside) {
		if c, meant := s.call(ctx, request); meant && !s.driver.IsUnasked(ctx, c.request) {
			calls = append(calls, c)
		}
	}
	switch {
	case len(calls) == 0:
		return outcome{}, false
	case len(calls) > 1:
		done = s.atOnce(ctx, calls)
	case step.Twice:
		done = s.twice(ctx, calls[0])
	case step.Cut && calls[0].request != nil:
		done = s.cutShort(ctx, calls[0])
	default:
		done = s.one(ctx, calls[0])
	}
	switch {
	case done.lost:
		done.broken = nil // a missing answer contradicts nothing
	case step.Look: // a driver that takes room for that shows it after the next step
	case len(done.broken) == 0:
		s.checkRoom(ctx, &done, calls)
	}
	s.learned.note(s, step)
	return done, true
}

// call returns the request of a step, unless the step is left out.
func (s *sequence) call(ctx context.Context, step Step) (c call, meant bool) {
	switch step.Move {
	case List:
		return lookOf(func(ctx context.Context) (outcome, error) { return s.list(ctx, step) }), true
	case Restart:
		return s.restart(), true
	case ListSnapshots, Snapshot, DeleteSnapshot, GetSnapshot:
		return s.callOfSnapshots(step)
	case Create:
		return s.create(ctx, step)
	case Again:
		return s.again(s.volume(step))
	default:
	}
	v := s.volume(step)
	if v.id == "" || v.forgotten {
		return call{}, false
	}
	switch step.Move {
	case Delete:
		return s.delete(v)
	case Grow:
		return s.grow(v, step), true
	case Get:
		return lookOf(func(ctx context.Context) (outcome, error) { return s.get(ctx, v) }), true
	case Validate:
		return s.validate(v), true
	default:
	}
	node := s.node(v, step.Node)
	if node == nil {
		return call{}, false
	}
	switch step.Move {
	case Publish:
		if step.Look {
			present := v.at(node)
			if present == nil || !present.published || !v.exists {
				return call{}, false
			}
			return s.publish(v, node, present.readOnly), true
		}
		if v.at(node) == nil && !s.isFull(node) && s.published(node) >= mostAttached {
			return call{}, false
		}
		return s.publish(v, node, step.ReadOnly), true
	case Unpublish:
		return s.unpublish(v, node)
	default:
		return s.callOfNode(ctx, v, node, step)
	}
}

// String lists the sequence in numbered steps: each request with its answer, and for the last one the allowed answers.
func (s *sequence) String() string { return strings.Join(s.steps(), "\n") }

// steps returns the texts of the steps that were carried out. The last one describes everything that its answer was
// judged by.
func (s *sequence) steps() []string {
	var steps []string
	for i, o := range s.done {
		text := fmt.Sprintf("%d. %s", i+1, o.asked)
		if i == len(s.done)-1 {
			text = fmt.Sprintf("%d. %s", i+1, o)
		} else {
			text = withoutPlace(text + "\nanswered: " + o.answered)
		}
		steps = append(steps, strings.ReplaceAll(text, "\n", "\n   "))
	}
	return steps
}
