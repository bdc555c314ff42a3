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

// mostFresh is how often the case begins anew after a wrong answer.
const mostFresh = 10

// campaign carries a plan out to its end, whatever the answers are. After a wrong one, everything is removed and the rest
// of the plan goes on in a new sequence: what the driver holds after a wrong answer, nobody can say.
type campaign struct {
	driver  *harness.Driver
	waived  map[string]bool
	end     time.Time
	learned learned
	// by is what the plan was drawn by, in words, if it was.
	by string

	// taken is how many steps were carried out.
	taken int
	// failures are the first sequences that ended by each clause, regrets the first answers that go against each, and
	// accepted the first that go against each clause that is waived.
	failures          []failure
	regrets, accepted []outcome
}

// learned is what the driver's answers tell of its ways, for all sequences.
type learned struct {
	// keepsInUse says that it refuses to delete a volume that is in use.
	keepsInUse bool
	// tellsNodes says that ControllerGetVolume has told a node to which a volume is published.
	tellsNodes bool
	// topology is that of a volume.
	topology model.Set
	// snapshots says whether they take room.
	snapshots snapshotBooks
}

// snapshotBooks is whether snapshots take room.
type snapshotBooks int

const (
	unknown snapshotBooks = iota
	takeRoom
	takeNone
)

// failure is a sequence that ended by a wrong answer.
type failure struct {
	*sequence
	// plan has the steps of the sequence, and last is the number of the wrong one in the whole plan.
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

// broken are the clauses that answers are wrong by, each once.
func (c *campaign) broken() []string {
	var clauses []string
	for _, f := range c.failures {
		clauses = append(clauses, clausesOf(f.done[len(f.done)-1].broken)...)
	}
	slices.Sort(clauses)
	return slices.Compact(clauses)
}

// noteRegrets keeps the sequence's first answer for each clause that no earlier one goes against, waived or not.
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

// waivedBy are the clauses that the profile waives.
func waivedBy(p profile.Profile) map[string]bool {
	waived := map[string]bool{}
	for _, waiver := range p.Waivers {
		waived[waiver.Requirement] = true
	}
	return waived
}

// waives reports whether one of the reasons for which an answer is wrong is waived: together they are one fault.
func (s *sequence) waives(reasons []model.Reason) bool { return len(s.waivedAmong(reasons)) > 0 }

// waivedAmong returns those of the reasons that are waived.
func (s *sequence) waivedAmong(reasons []model.Reason) []model.Reason {
	return slices.DeleteFunc(slices.Clone(reasons), func(reason model.Reason) bool { return !s.waived[reason.Clause] })
}
