// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
)

// closingAreas returns cases where x is deadly, and z is about the run and fails.
func closingAreas() []Area[string] {
	fails := func(context.Context, string) { Fail("MUST-1", "the run is bad") }
	return []Area[string]{
		{Name: "z", Cases: []Case[string]{{ID: "z", Run: fails, Closing: true, Requirements: []string{"MUST-1"}}}},
		{Name: "a", Cases: []Case[string]{{ID: "x", Run: takes, Deadly: true}, {ID: "a", Run: takes}, {ID: "b", Run: takes, Needs: alone()}}},
	}
}

func TestDeadlyAndClosingCasesComeLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, atOnce := range []int{1, 3} {
			var d diary
			r := Runner[string]{Stage: stage{}, AtOnce: atOnce, Watch: &d, Lookup: byName}
			results := r.Run(t.Context(), Plan[string]{
				Areas: closingAreas(), Chosen: []string{"a", "b", "x", "z", "G-1"}, Guests: guests(),
				Guest: guest{run: func(_ context.Context, id string, watch Watcher) {
					watch.Begin(id)
					watch.End(Result{Listed: guests()[0], Verdict: Passed})
				}},
			})
			if got := resultIDs(results); got != "G-1 G-2 z x a b" {
				t.Errorf("want the results as the cases are declared, got %s", got)
			}
			if began := strings.Join(d.began(), " "); !strings.HasSuffix(began, " x z") {
				t.Errorf("%d at once: want x and then z last, got %s", atOnce, began)
			}
		}
	})
}

func TestClosingCasesSpeakUnasked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name string
			run  func(r *Runner[string], p Plan[string]) []Result
		}{
			{"beside cases that were asked for", func(r *Runner[string], p Plan[string]) []Result { return r.Run(t.Context(), p) }},
			{"where nothing could begin", func(r *Runner[string], p Plan[string]) []Result {
				return r.Unprepared(t.Context(), p, "no volume")
			}},
		} {
			results := c.run(&Runner[string]{Stage: stage{}, Lookup: byName}, Plan[string]{Areas: closingAreas(), Chosen: []string{"a"}})
			if results[0].ID != "z" || results[0].Verdict != Failed {
				t.Errorf("%s: want the case about the run to fail, got %+v", c.name, results[0])
			}
		}
	})
}

func TestACaseIsRunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name        string
			doubtful    int // how many results may follow from another case
			runs        int
			want        Verdict
			wantSeconds float64
		}{
			{"never", 0, 1, Failed, 1},
			{"once", 1, 2, Passed, 2},
			{"and no more than twice", 9, 3, Passed, 3},
		} {
			runs := 0
			body := func(ctx context.Context, id string) {
				runs++
				takes(ctx, id)
				if runs == 1 {
					Fail("MUST-1", "no")
				}
			}
			r := Runner[string]{Stage: stage{}, Lookup: byName, Again: func(string, Result) bool { return runs <= c.doubtful }}
			got := r.Run(t.Context(), Plan[string]{Areas: []Area[string]{{Cases: []Case[string]{{ID: "a", Run: body}}}}, Chosen: []string{"a"}})[0]
			if runs != c.runs || got.Verdict != c.want || got.Took.Seconds() != c.wantSeconds {
				t.Errorf("%s: got %d runs, and %+v", c.name, runs, got)
			}
		}
	})
}

// doubter doubts one case, and keeps how it ended alone.
type doubter struct {
	beside []string
	alone  []Result
}

func (d *doubter) Doubted(beside []Result) string {
	for _, r := range beside {
		d.beside = append(d.beside, r.ID)
	}
	return "a"
}

func (d *doubter) Alone(again Result) { d.alone = append(d.alone, again) }

func TestACaseIsRunAgainAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct{ atOnce, want int }{{1, 0}, {2, 1}} {
			var doubt doubter
			r := Runner[string]{Stage: stage{}, AtOnce: c.atOnce, Lookup: byName, Doubt: &doubt}
			r.Run(t.Context(), Plan[string]{Areas: closingAreas(), Chosen: []string{"a", "b", "x"}})
			if len(doubt.alone) != c.want || c.want > 0 && (doubt.alone[0].ID != "a" || strings.Join(doubt.beside, " ") != "a") {
				t.Errorf("%d at once: got %+v", c.atOnce, doubt)
			}
		}
	})
}
