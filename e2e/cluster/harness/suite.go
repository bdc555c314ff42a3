// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"sync"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/connections"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Suite runs the cases of one run on one target: it is the stage of the tier.
type Suite struct {
	target *Target
	free   func() chan map[string]string // pools of the target that no case uses

	mu     sync.Mutex
	opened *connections.Shared // nil until a case needs them
}

// New returns a suite for the target, which may be completed until its cases run.
func New(target *Target) *Suite {
	return &Suite{target: target, free: sync.OnceValue(func() chan map[string]string {
		free := make(chan map[string]string, len(target.Pools))
		for _, pool := range target.Pools {
			free <- pool
		}
		return free
	})}
}

// lines returns the connections that the cases share.
func (t *Suite) lines() (*connections.Shared, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opened != nil {
		return t.opened, nil
	}
	dialer, err := t.target.Dialer()
	if err != nil {
		return nil, err
	}
	t.opened = connections.New(dialer)
	return t.opened, nil
}

// Close ends the connections that the cases shared, once all have run.
func (t *Suite) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.opened == nil {
		return nil // no case ran
	}
	return t.opened.Close()
}

// Set makes the runner run cases on the target, which is complete.
func (t *Suite) Set(runner *suite.Runner[*Scenario]) {
	limits := t.target.Timeouts
	runner.Stage, runner.AtOnce, runner.CleanUp = t, t.target.Parallel, limits.CleanUp
	runner.Alone = func(c Case) bool { return runsAlone(c, len(t.target.Pools) > 0) }
	runner.Limit = func(c Case) time.Duration { return caseLimit(c, limits.Case) }
	runner.Waivers = t.target.Waivers
}

// Open returns the case's scenario, not yet prepared, once a pool is free for a case that needs one.
func (t *Suite) Open(ctx context.Context, c Case) *Scenario {
	s := &Scenario{Target: t.target, id: c.ID, ours: map[string]string{}, kept: map[any]any{}, giveBack: func() {}}
	if t.target.Parallel > 1 && runsApart(c) && !runsAlone(c, len(t.target.Pools) > 0) {
		s.pool, s.giveBack = t.lease(ctx)
	}
	s.alone = t.target.Parallel <= 1 || runsAlone(c, s.pool != nil)
	return s
}

// lease returns the parameters of a pool, once one is free, for a case to use until it gives it back; nil if ctx ends
// first.
func (t *Suite) lease(ctx context.Context) (pool map[string]string, giveBack func()) {
	free := t.free()
	select {
	case pool = <-free:
		return pool, func() { free <- pool }
	case <-ctx.Done(): // nor will the case begin
		return nil, func() {}
	}
}

// Perform prepares the case, runs it, and removes its objects. Anything that then remains is judged.
func (t *Suite) Perform(ctx context.Context, c Case, s *Scenario) {
	lines, err := t.lines()
	if err == nil {
		err = s.begin(ctx, lines)
	}
	if err != nil {
		suite.CouldNotTell("preparing the case: %v", err)
	}
	c.Meet(ctx, s)
	c.Run(ctx, s)
	mustLeaveNothing(ctx, s)
}

// CleanUp removes everything that is left of the case, and keeps its evidence if it did not pass.
func (t *Suite) CleanUp(ctx context.Context, s *Scenario, said *suite.Outcome) {
	defer s.giveBack()
	if s.Namespace == "" { // the case made nothing
		return
	}
	if said.End != nil && said.End.Verdict != suite.Skipped {
		leaveEvidence(ctx, s)
	}
	err := tearDown(ctx, s)
	keepCalls(ctx, s, said)
	if err != nil {
		suite.CouldNotTell("%v", err)
	}
}
