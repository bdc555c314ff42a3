// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Runner runs the cases of one tier. One process can have several, at the same time.
type Runner[T any] struct {
	Stage Stage[T]
	// AtOnce is the number of cases that may run at once; 0 and 1 run them one after another.
	AtOnce int
	// Alone reports whether the case must run alone; nil asks the case's needs.
	Alone func(c Case[T]) bool
	// Ready reports whether the case can begin without waiting for a resource that concurrent cases share. Cases for which
	// it reports false begin later; nil is always true.
	Ready func(c Case[T]) bool
	// Limit returns the time that a case may take; nil sets no limit.
	Limit func(c Case[T]) time.Duration
	// CleanUp is the time that the removal of a case's objects may take.
	CleanUp time.Duration
	// Waivers set aside findings of cases.
	Waivers []Waiver
	// Edit changes the texts of cases before they are kept; nil keeps them unchanged.
	Edit func(text string) string
	// Lookup finds requirements in the register.
	Lookup Lookup
	// Watch is notified of each case; nil if nothing watches.
	Watch Watcher
	// Again reports whether a case may have ended as it did because of another case. It is then run again, at most
	// twice. Nil repeats none.
	Again func(t T, ended Result) bool
	// Doubt chooses one of the cases that ran concurrently, by all of their results, to run again alone. It gets the second
	// result, which does not replace the first; nil chooses none.
	Doubt Doubter
}

// Doubter doubts the results of cases that ran concurrently.
type Doubter interface {
	// Doubted returns the id of a case that must run again alone; "" if there is no doubt.
	Doubted(beside []Result) string
	// Alone receives the result of that case when it ran alone.
	Alone(again Result)
}

// Watcher is notified of the progress of a run. Several cases may begin and end at the same time.
type Watcher interface {
	// Begin is called when the case with the id begins.
	Begin(id string)
	// End is called with the result of a selected case.
	End(r Result)
}

// Guest is another suite that runs among the cases of a tier.
type Guest interface {
	// List returns the guest's cases, in their order.
	List(ctx context.Context) ([]Listed, error)
	// Run runs the cases with the ids, and notifies watch of the begin and the end of each. A case without a
	// notification has not run.
	Run(ctx context.Context, ids []string, watch Watcher)
}

// Plan is the work of one run.
type Plan[T any] struct {
	Areas []Area[T]
	// Guest runs beside the cases that need not run alone. Its cases that must run alone run once the others have ended. Nil
	// means no guest. Guests are the guest's cases.
	Guest  Guest
	Guests []Listed
	// Chosen are the ids of the cases that run.
	Chosen []string
	// Seed orders the areas, and with Shuffle all cases.
	Seed    int64
	Shuffle bool
}

// declared is a case with its listing.
type declared[T any] struct {
	Case[T]
	as Listed
}

// Run runs the chosen cases and returns a result for every case of the plan, in the order in which they are declared, the
// guest's first. When ctx ends, no other case begins, and running cases are cut and cleaned up.
func (r *Runner[T]) Run(ctx context.Context, p Plan[T]) []Result {
	results := collected{watch: r.Watch, by: map[string]Result{}}
	beside, alone := r.ordered(p)
	var guests, guestsAlone []string
	for _, g := range p.Guests {
		switch {
		case !slices.Contains(p.Chosen, g.ID):
		case r.AtOnce > 1 && slices.Contains(g.Needs, aloneNeed):
			guestsAlone = append(guestsAlone, g.ID)
		default:
			guests = append(guests, g.ID)
		}
	}
	var lanes sync.WaitGroup
	next := r.queue(ctx, beside)
	for range max(1, r.AtOnce) {
		lanes.Go(func() {
			for c, ok := next(); ok; c, ok = next() {
				results.Begin(c.ID)
				results.End(r.One(ctx, c.Case, c.as))
			}
		})
	}
	guest := func(ids []string) {
		if len(ids) > 0 && ctx.Err() == nil {
			p.Guest.Run(ctx, ids, &results)
		}
	}
	if r.AtOnce > 1 {
		lanes.Go(func() { guest(guests) })
	}
	lanes.Wait()
	if r.AtOnce <= 1 {
		guest(guests)
	}
	guest(guestsAlone)
	r.doubt(ctx, beside, &results)
	for _, c := range alone {
		if ctx.Err() != nil {
			break
		}
		results.Begin(c.ID)
		results.End(r.One(ctx, c.Case, c.as))
	}
	r.close(ctx, p, &results)
	return results.of(p.All(), p.Chosen)
}

// queue returns a function that returns the next case to begin: the first that is ready, or the first if none is. After the
// end of ctx it returns one more, by whose result Watch learns that no more cases are run.
func (r *Runner[T]) queue(ctx context.Context, cases []declared[T]) func() (declared[T], bool) {
	var mu sync.Mutex
	due, ended := slices.Clone(cases), ctx.Err() != nil
	return func() (c declared[T], ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if len(due) == 0 || ended {
			return c, false
		}
		ended = ctx.Err() != nil
		i := 0
		if r.Ready != nil {
			i = max(0, slices.IndexFunc(due, func(c declared[T]) bool { return r.Ready(c.Case) }))
		}
		c = due[i]
		due = slices.Delete(due, i, i+1)
		return c, true
	}
}

// Unprepared returns the results of a run where no case could begin; why is the reason. Closing cases still report their
// findings.
func (r *Runner[T]) Unprepared(ctx context.Context, p Plan[T], why string) []Result {
	results := collected{by: map[string]Result{}}
	for _, as := range p.All() {
		if slices.Contains(p.Chosen, as.ID) {
			results.by[as.ID] = Unrun(as, why)
		}
	}
	r.close(ctx, p, &results)
	return results.of(p.All(), p.Chosen)
}

// close runs the closing cases that did not run, and keeps their failures and warnings.
func (r *Runner[T]) close(ctx context.Context, p Plan[T], results *collected) {
	for _, area := range p.Areas {
		for i, as := range List([]Area[T]{area}) {
			c := area.Cases[i]
			if before, ran := results.by[c.ID]; !c.Closing || ran && before.Reason != NotRun || ctx.Err() != nil || r.Stage == nil {
				continue
			}
			if found := r.One(ctx, c, as); found.Verdict == Failed || found.Verdict == Warned {
				results.by[c.ID] = found
			}
		}
	}
}

// doubt runs the case that Doubt chooses among the concurrent cases again, alone.
func (r *Runner[T]) doubt(ctx context.Context, beside []declared[T], results *collected) {
	if r.Doubt == nil || r.AtOnce <= 1 || ctx.Err() != nil {
		return
	}
	var said []Result
	for _, c := range beside {
		if result, ended := results.by[c.ID]; ended {
			said = append(said, result)
		}
	}
	id := r.Doubt.Doubted(said)
	if i := slices.IndexFunc(beside, func(c declared[T]) bool { return c.ID == id }); i >= 0 {
		r.Doubt.Alone(r.One(ctx, beside[i].Case, beside[i].as))
	}
}

// ordered returns the chosen cases in the order in which they begin. If several run at once, the cases that run alone
// are apart from the others, where long ones come first, so that no run ends with one of them alone. Deadly cases and
// then closing ones come last, alone.
func (r *Runner[T]) ordered(p Plan[T]) (beside, alone []declared[T]) {
	random := rand.New(rand.NewPCG(uint64(p.Seed), 0)) //nolint:gosec // an order that can be repeated, and no secret
	areas := slices.Clone(p.Areas)
	random.Shuffle(len(areas), func(i, j int) { areas[i], areas[j] = areas[j], areas[i] })
	var all []declared[T]
	for _, area := range areas {
		for i, as := range List([]Area[T]{area}) {
			if slices.Contains(p.Chosen, as.ID) {
				all = append(all, declared[T]{area.Cases[i], as})
			}
		}
	}
	if p.Shuffle {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	for _, c := range all {
		if c.Deadly || c.Closing || r.AtOnce > 1 && r.alone(c.Case) {
			alone = append(alone, c)
		} else {
			beside = append(beside, c)
		}
	}
	if r.AtOnce > 1 {
		slices.SortStableFunc(beside, func(a, b declared[T]) int { return cmp.Compare(rank(b.Long), rank(a.Long)) })
	}
	slices.SortStableFunc(alone, func(a, b declared[T]) int {
		return cmp.Or(cmp.Compare(rank(a.Closing), rank(b.Closing)), cmp.Compare(rank(a.Deadly), rank(b.Deadly)))
	})
	return beside, alone
}

// rank returns 1 if is is true, and 0 otherwise, to sort such cases last.
func rank(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (r *Runner[T]) alone(c Case[T]) bool {
	if r.Alone != nil {
		return r.Alone(c)
	}
	return c.Alone()
}

// collected are the results so far, by the ids of their cases.
type collected struct {
	watch Watcher

	mu sync.Mutex
	by map[string]Result
}

// Begin records that a case begins.
func (c *collected) Begin(id string) {
	if c.watch != nil {
		c.watch.Begin(id)
	}
}

// End keeps the result of a case.
func (c *collected) End(r Result) {
	c.mu.Lock()
	c.by[r.ID] = r
	c.mu.Unlock()
	if c.watch != nil {
		c.watch.End(r)
	}
}

// of returns the results of all cases. A chosen case without a result did not begin.
func (c *collected) of(all []Listed, chosen []string) []Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := map[string]bool{}
	for _, id := range chosen {
		asked[id] = true
	}
	results := make([]Result, 0, len(all))
	for _, as := range all {
		result, ended := c.by[as.ID]
		switch {
		case ended:
			results = append(results, result)
		case asked[as.ID]:
			results = append(results, Unrun(as, endedBefore))
		default:
			results = append(results, LeftOut(as))
		}
	}
	return results
}

// All returns the cases of the plan, in the order of the report.
func (p Plan[T]) All() []Listed { return append(slices.Clone(p.Guests), List(p.Areas)...) }
