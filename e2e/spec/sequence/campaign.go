// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// mostFresh limits how often the case begins anew after a wrong answer.
const mostFresh = 10

// campaign carries a plan out to its end, whatever the answers are. After a wrong answer, it removes everything and
// continues the rest of the plan in a new sequence, because the state of the driver is not known.
type campaign struct {
	driver  *harness.Driver
	waived  map[string]bool
	end     time.Time
	learned learned
	// by describes how the plan was drawn; empty if it was not.
	by string

	// taken is the number of steps that were carried out.
	taken int
	// failures holds the first sequence that ended by each clause, regrets the first answer that goes against each
	// clause, and accepted the first that goes against each waived clause.
	failures          []failure
	regrets, accepted []outcome
}

// learned holds the behaviour that the driver's answers show, for all sequences.
type learned struct {
	// keepsInUse reports that it refuses to delete a volume that is in use.
	keepsInUse bool
	// tellsNodes reports that ControllerGetVolume has returned a node to which a volume is published.
	tellsNodes bool
	// topology is the topology of a volume.
	topology model.Set
	// met counts the steps in each situation; nil if they are not counted.
	met map[string]int
	// looking measures how long looks take.
	looking looking
	// snapshots records whether snapshots take room.
	snapshots snapshotBooks
}

// snapshotBooks records whether snapshots take room.
type snapshotBooks int

const (
	unknown snapshotBooks = iota
	takeRoom
	takeNone
)

// failure is a sequence that ended by a wrong answer.
type failure struct {
	*sequence
	// plan holds the steps of the sequence, and last the number of the wrong step in the whole plan.
	plan []Step
	last int
}

// carryOut carries the plan out, beginning with the sequence.
func (c *campaign) carryOut(ctx context.Context, run *sequence, plan []Step) {
	for fresh := 0; ; fresh++ {
		begun := c.taken
		run.carryOut(ctx, plan[begun:])
		c.taken += run.taken
		c.noteRegrets(run)
		reason := run.failure()
		if reason == (model.Reason{}) {
			return
		}
		if !slices.ContainsFunc(c.failures, func(f failure) bool { return f.failure().Clause == reason.Clause }) {
			c.failures = append(c.failures, failure{run, plan[begun:c.taken], c.taken})
		}
		if fresh == mostFresh || c.taken == len(plan) || time.Now().After(c.end) || c.driver.StartOver(ctx) != nil {
			return
		}
		run = c.begin(ctx)
	}
}

// broken returns the clauses that answers contradict, each once.
func (c *campaign) broken() []string {
	var clauses []string
	for _, f := range c.failures {
		clauses = append(clauses, clausesOf(f.done[len(f.done)-1].broken)...)
	}
	slices.Sort(clauses)
	return slices.Compact(clauses)
}

// noteRegrets records the sequence's first answer for each clause that no earlier one goes against, waived or not.
func (c *campaign) noteRegrets(run *sequence) {
	for _, o := range run.done {
		accepted := func(earlier outcome) bool { return earlier.waived[0].Clause == o.waived[0].Clause }
		if len(o.waived) > 0 && !slices.ContainsFunc(c.accepted, accepted) {
			c.accepted = append(c.accepted, o)
		}
		again := func(earlier outcome) bool { return earlier.regretted[0].Clause == o.regretted[0].Clause }
		if len(o.regretted) > 0 && !slices.ContainsFunc(c.regrets, again) {
			c.regrets = append(c.regrets, o)
		}
	}
}

// waivedBy returns the clauses that the profile waives.
func waivedBy(p profile.Profile) map[string]bool {
	waived := map[string]bool{}
	for _, waiver := range p.Waivers {
		waived[waiver.Requirement] = true
	}
	return waived
}

// waives reports whether one of the reasons why an answer is wrong is waived: together they are one fault.
func (s *sequence) waives(reasons []model.Reason) bool { return len(s.waivedAmong(reasons)) > 0 }

// waivedAmong returns the waived reasons.
func (s *sequence) waivedAmong(reasons []model.Reason) []model.Reason {
	return slices.DeleteFunc(slices.Clone(reasons), func(reason model.Reason) bool { return !s.waived[reason.Clause] })
}
