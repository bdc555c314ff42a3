// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Pool runs the cases that may run side by side, so many at once, while Ginkgo goes through all cases one after another:
// it waits for the outcome of each in turn. The zero Pool has no cases.
type Pool struct {
	mu      sync.Mutex
	results map[string]*result // nil until Start
	cancel  context.CancelFunc
	idle    sync.WaitGroup
	// ahead counts the cases that have ended and that Ginkgo was not told of yet.
	ahead int
	// running are the ids of the cases that run, those that began first before the others.
	running []string
}

// Job is one case of a pool.
type Job struct {
	// ID names the case.
	ID string
	// Long says that the case takes so much longer than others that it begins before them.
	Long bool
	// Run runs the case, removes what it made, and leaves in the outcome what it says.
	Run func(ctx context.Context, o *Outcome)
	// Calls gives the calls that the case made, once it has ended; nil when nobody records them.
	Calls Recording
	// Placed gives where the case's volumes were, once it has ended; nil when nobody notes it.
	Placed Placing
}

// result is how one case of the pool ended; ready is closed once it has.
type result struct {
	outcome Outcome
	calls   Recording
	placed  Placing
	took    time.Duration
	ready   chan struct{}
}

// Start has the jobs run, so many at once, in the order of those that were chosen. Only the first call does anything. The
// jobs outlive ctx: Report and Wait end them.
func (p *Pool) Start(ctx context.Context, atOnce int, chosen Chosen, jobs func() []Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.results != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p.results, p.cancel = map[string]*result{}, cancel
	made := jobs()
	chosen.sort(made)
	for _, job := range made {
		p.results[job.ID] = &result{calls: job.Calls, placed: job.Placed, ready: make(chan struct{})}
	}
	due := make(chan Job)
	for range atOnce {
		p.idle.Go(func() {
			for job := range due {
				p.run(ctx, job, p.results[job.ID])
			}
		})
	}
	p.idle.Go(func() {
		defer close(due)
		for _, job := range made {
			due <- job
		}
	})
}

func (p *Pool) run(ctx context.Context, job Job, r *result) {
	defer close(r.ready)
	p.mu.Lock()
	p.running = append(p.running, job.ID)
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ahead++
		p.running = slices.DeleteFunc(p.running, func(id string) bool { return id == job.ID })
	}()
	begin := time.Now()
	job.Run(ctx, &r.outcome)
	r.took = time.Since(begin)
}

// Progress is how many cases have ended that Ginkgo was not told of yet, and which run, by their ids.
func (p *Pool) Progress() (ahead int, running []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ahead, slices.Clone(p.running)
}

// Report waits for the case, which is one of the pool's, and tells Ginkgo how it ended. An interrupt of the run, which
// ends ctx, ends all of the pool's cases.
func (p *Pool) Report(ctx context.Context, id string) (o *Outcome, calls Recording, placed Placing, took time.Duration) {
	p.mu.Lock()
	r := p.results[id]
	p.mu.Unlock()
	select {
	case <-r.ready:
	case <-ctx.Done():
		p.cancel()
		<-r.ready
	}
	p.mu.Lock()
	p.ahead--
	p.mu.Unlock()
	return &r.outcome, r.calls, r.placed, r.took
}

// Wait returns once no case of the pool runs any more: the next one has to be alone.
func (p *Pool) Wait(ctx context.Context) {
	idle := make(chan struct{})
	go func() {
		p.idle.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
		p.mu.Lock()
		if p.cancel != nil {
			p.cancel()
		}
		p.mu.Unlock()
		<-idle
	}
}
