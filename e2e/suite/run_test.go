// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// areas returns three areas of cases that take a second each: three are long and two run
// alone.
func areas() []Area[string] {
	return []Area[string]{
		{Name: "a", Cases: []Case[string]{{ID: "a1", Run: takes}, {ID: "a2", Run: takes, Needs: alone()}, {ID: "a3", Run: takes}}},
		{Name: "b", Cases: []Case[string]{{ID: "b1", Run: takes}, {ID: "b2", Run: takes, Long: true}, {ID: "b3", Run: takes}}},
		{Name: "c", Cases: []Case[string]{{ID: "c1", Run: takes, Needs: alone(), Long: true}, {ID: "c2", Run: takes, Long: true}, {ID: "c3", Run: takes}}},
	}
}

const declaredOrder = "a1 a2 a3 b1 b2 b3 c1 c2 c3"

// diary records when cases begin and end, and how many run at once.
type diary struct {
	mu      sync.Mutex
	events  []string // +id, and then -id
	running int
	most    int
}

func (d *diary) Begin(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, "+"+id)
	d.running++
	d.most = max(d.most, d.running)
}

func (d *diary) End(r Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, "-"+r.ID)
	d.running--
}

// began returns the ids of the cases in the order in which they began.
func (d *diary) began() []string { return withPrefix(d.events, "+") }

func resultIDs(results []Result) string {
	found := make([]string, 0, len(results))
	for _, r := range results {
		found = append(found, r.ID)
	}
	return strings.Join(found, " ")
}

func TestRunOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := func(atOnce int, seed int64, shuffle bool) *diary {
			var d diary
			r := Runner[string]{Stage: stage{}, AtOnce: atOnce, Watch: &d}
			results := r.Run(t.Context(), Plan[string]{Areas: areas(), Chosen: strings.Fields(declaredOrder), Seed: seed, Shuffle: shuffle})
			if got := resultIDs(results); got != declaredOrder {
				t.Errorf("want the results as the cases are declared, got %s", got)
			}
			for _, result := range results {
				if result.Verdict != Passed || result.Took.Seconds() != 1 {
					t.Errorf("want a pass that took a second, got %+v", result)
				}
			}
			return &d
		}
		orders := map[bool]map[string]bool{false: {}, true: {}}
		for seed := range int64(9) {
			for _, shuffle := range []bool{false, true} {
				first := strings.Join(run(1, seed, shuffle).began(), " ")
				if again := strings.Join(run(1, seed, shuffle).began(), " "); again != first {
					t.Errorf("seed %d gives %s and then %s", seed, first, again)
				}
				orders[shuffle][first] = true
				whole := strings.Contains(first, "a1 a2 a3") && strings.Contains(first, "b1 b2 b3") && strings.Contains(first, "c1 c2 c3")
				if whole == shuffle {
					t.Errorf("seed %d, shuffle %t: want the areas kept together unless shuffled, got %s", seed, shuffle, first)
				}

				d := run(3, seed, shuffle)
				if began := d.began(); d.most != 3 || !slices.Contains(began[:3], "b2") || !slices.Contains(began[:3], "c2") {
					t.Errorf("seed %d: want 3 at once and the long cases first, got %d at once in %s", seed, d.most, began)
				}
				last := []string{"+a2", "-a2", "+c1", "-c1"}
				if got := d.events[len(d.events)-4:]; !slices.Equal(got, last) && !slices.Equal(got, append(last[2:], last[:2]...)) {
					t.Errorf("seed %d: want the cases that run alone after the others, got %s", seed, d.events)
				}
			}
		}
		if len(orders[false]) < 3 || len(orders[true]) < 3 {
			t.Errorf("want orders that depend on the seed, got %v", orders)
		}
	})
}

func TestTheRunnerSaysWhatIsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		r := Runner[string]{Stage: stage{}, AtOnce: 3, Watch: &d, Alone: func(Case[string]) bool { return true }}
		r.Run(t.Context(), Plan[string]{Areas: areas(), Chosen: strings.Fields(declaredOrder)})
		if d.most != 1 {
			t.Errorf("want one case at once, got %d", d.most)
		}
	})
}

// TestReadyCasesBeginFirst checks that two cases that are never ready begin last.
func TestReadyCasesBeginFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		r := Runner[string]{Stage: stage{}, AtOnce: 2, Watch: &d, Ready: func(c Case[string]) bool { return c.ID != "b2" && c.ID != "a1" }}
		r.Run(t.Context(), Plan[string]{Areas: areas(), Chosen: []string{"a1", "a3", "b1", "b2", "b3"}})
		began := d.began()
		slices.Sort(began[3:])
		if diff := cmp.Diff([]string{"a1", "b2"}, began[3:]); diff != "" {
			t.Errorf("the last cases to begin (-want +got):\n%s", diff)
		}
	})
}

func TestCasesThatWereNotChosen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d diary
		r := Runner[string]{Stage: stage{}, AtOnce: 2, Watch: &d}
		for _, result := range r.Run(t.Context(), Plan[string]{Areas: areas(), Guest: guest{}, Guests: guests(), Chosen: []string{"b1"}}) {
			if ran := result.ID == "b1"; ran != (result.Verdict == Passed) || !ran && (result.Verdict != Skipped || result.DecidedBy != ByFilter) {
				t.Errorf("want b1 passed and the others left out by the filter, got %+v", result)
			}
		}
		if diff := cmp.Diff([]string{"b1"}, d.began()); diff != "" {
			t.Errorf("cases that began (-want +got):\n%s", diff)
		}
	})
}

func TestAGuest(t *testing.T) {
	all := append(guests(), NewListed("G-3", "guest", "runs", []string{AloneLabel}))
	for _, c := range []struct {
		name   string
		atOnce int
		want   []string
	}{
		{"after the cases, where one runs at once", 1, []string{"+a1", "-a1", "+a2", "-a2", "+G-1", "-G-1", "+G-3", "-G-3"}},
		{"beside the cases, and before those that run alone", 2, []string{"+a1", "+G-1", "-a1", "-G-1", "+G-3", "-G-3", "+a2", "-a2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d diary
				second := guest{run: func(ctx context.Context, id string, watch Watcher) {
					if id == "G-2" { // and never reports it
						return
					}
					synctest.Wait() // for the case that runs beside it
					watch.Begin(id)
					takes(ctx, id)
					synctest.Wait()
					watch.End(Result{Listed: Listed{ID: id}, Verdict: Warned})
				}}
				r := Runner[string]{Stage: stage{}, AtOnce: c.atOnce, Watch: &d}
				results := r.Run(t.Context(), Plan[string]{Areas: areas()[:1], Guest: second, Guests: all, Chosen: []string{"G-1", "G-2", "G-3", "a1", "a2"}})
				if diff := cmp.Diff(c.want, d.events); diff != "" {
					t.Errorf("what ran (-want +got):\n%s", diff)
				}
				if got := resultIDs(results); got != "G-1 G-2 G-3 a1 a2 a3" || results[0].Verdict != Warned || results[1].Reason != NotRun || results[5].DecidedBy != ByFilter {
					t.Errorf("want G-1 warned, G-2 not run and a3 left out, got %+v", results)
				}
			})
		})
	}
}

func TestAPlanOfWhichNothingRan(t *testing.T) {
	plan := Plan[string]{Areas: areas(), Guests: guests(), Chosen: []string{"G-1", "a1"}}
	for _, r := range (&Runner[string]{}).Unprepared(t.Context(), plan, "no cluster") {
		asked := r.ID == "G-1" || r.ID == "a1"
		if asked && (r.Verdict != Errored || r.Reason != NotRun || r.Message != "no cluster") || !asked && r.DecidedBy != ByFilter {
			t.Errorf("got %+v", r)
		}
	}
}
