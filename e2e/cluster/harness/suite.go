// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Suite declares cases for one target.
type Suite struct {
	target *Target
	cases  []Case // in the order of the report
	chosen suite.Chosen
	pool   suite.Pool
	free   func() chan map[string]string // pools of the target that no case has

	mu     sync.Mutex
	opened *connections // nil until a case needs them
}

// New is a suite for the target, which may be completed until its cases run.
func New(target *Target) *Suite {
	return &Suite{target: target, free: sync.OnceValue(func() chan map[string]string {
		free := make(chan map[string]string, len(target.Pools))
		for _, pool := range target.Pools {
			free <- pool
		}
		return free
	})}
}

// lines are the connections that the cases share.
func (t *Suite) lines() (*connections, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opened != nil {
		return t.opened, nil
	}
	dialer, err := t.target.dialer()
	if err != nil {
		return nil, err
	}
	t.opened = newConnections(dialer)
	return t.opened, nil
}

// Close ends the connections that the cases shared, once all have run.
func (t *Suite) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opened == nil {
		return nil // no case ran
	}
	return t.opened.close()
}

// Declare makes Ginkgo containers of the areas, and specs of their cases.
func (t *Suite) Declare(areas []Area) {
	for _, area := range areas {
		ginkgo.Describe(area.Name, ginkgo.Serial, func() {
			for _, c := range area.Cases {
				t.declare(c)
			}
		})
		t.cases = append(t.cases, area.Cases...)
	}
}

func (t *Suite) declare(c Case) {
	at := types.CodeLocation{FileName: "e2e/cluster"}
	// An interrupted case still removes what it made.
	ginkgo.It(c.Text, ginkgo.Label(c.AllLabels()...), at, ginkgo.GracePeriod(DefaultTimeouts().CleanUp), func(ctx context.Context) {
		if t.sideBySide(c) {
			t.pool.Start(ctx, t.target.Parallel, t.chosen, t.jobs)
			verdict.TellPooled(t.pool.Report(ctx, c.ID))
			return
		}
		t.pool.Wait(ctx)
		var o suite.Outcome
		began := time.Now() // without the wait for others
		t.run(ctx, c, &o)
		verdict.Took(time.Since(began))
		verdict.Tell(&o)
	})
}

// Choose tells the suite which of its cases will run, by their ids, and in which order. Without it each is taken for one
// that will.
func (t *Suite) Choose(ids []string) { t.chosen = ids }

// Progress is how many cases have ended that Ginkgo was not told of yet, and which run side by side, by their ids.
func (t *Suite) Progress() (ahead int, running []string) { return t.pool.Progress() }

// sideBySide reports whether the case may run while others do.
func (t *Suite) sideBySide(c Case) bool {
	return t.target.Parallel > 1 && !alone(c, len(t.target.Pools) > 0) && t.chosen.Has(c.ID)
}

// jobs are the cases that may run side by side.
func (t *Suite) jobs() []suite.Job {
	var jobs []suite.Job
	for _, c := range t.cases {
		if t.sideBySide(c) {
			jobs = append(jobs, suite.Job{ID: c.ID, Long: c.Long, Run: func(ctx context.Context, o *suite.Outcome) { t.run(ctx, c, o) }})
		}
	}
	return jobs
}

// run prepares the case, runs it, and removes what it made. What then is still there fails it.
func (t *Suite) run(ctx context.Context, c Case, o *suite.Outcome) {
	limits := t.target.Timeouts
	pool, giveBack := t.lease(ctx, c)
	defer giveBack()
	limited, cancel := context.WithTimeout(suite.With(ctx, o), limit(c, limits.Case))
	defer cancel()
	var s *Scenario
	o.Run(func() {
		t.target.meetWaivers(c)
		lines, err := t.lines()
		if err == nil {
			s, err = begin(limited, t.target, lines, c, pool)
		}
		if err != nil {
			suite.CouldNotTell("preparing the case: %v", err)
		}
		c.Meet(limited, s)
		c.Run(limited, s)
		s.mustLeaveNothing(limited)
	})
	if s == nil {
		return
	}
	defer s.close()
	var after suite.Outcome
	after.Run(func() {
		ctx, cancel := context.WithTimeout(suite.With(context.WithoutCancel(ctx), &after), limits.CleanUp)
		defer cancel()
		if o.End != nil && o.End.Verdict != suite.Skipped {
			s.leaveEvidence(ctx)
		}
		err := s.tearDown(ctx)
		s.keepCalls(ctx, o)
		if err != nil {
			suite.CouldNotTell("%v", err)
		}
	})
	o.Then(&after)
}

// lease returns the parameters of a pool for the case, once one is free, which the case has until it gives it back; nil for
// a case that needs none, or that runs alone.
func (t *Suite) lease(ctx context.Context, c Case) (pool map[string]string, giveBack func()) {
	if !t.sideBySide(c) || !apart(c) {
		return nil, func() {}
	}
	free := t.free()
	select {
	case pool = <-free:
		return pool, func() { free <- pool }
	case <-ctx.Done(): // nor will the case begin
		return nil, func() {}
	}
}

// mustLeaveNothing tears the case down and fails it for what then is still there.
func (s *Scenario) mustLeaveNothing(ctx context.Context) {
	s.Need(s.tearDown(ctx), "after the case")
	s.Until(ctx, s.Target.Timeouts.Delete, "nothing left behind", func(ctx context.Context) error {
		now, err := s.Holdings(ctx)
		if err != nil {
			return err
		}
		return predicate.NothingLeft(s.before, now)
	})
	s.leavesNoSnapshot(ctx)
}
