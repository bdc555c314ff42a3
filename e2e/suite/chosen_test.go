// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"slices"
	"testing"
)

// Cases that run side by side begin in the order of the run, which the seed decides, and not in that of the register.
func TestChosenBegin(t *testing.T) {
	for _, test := range []struct {
		name   string
		chosen Chosen
		want   []string
	}{
		{"as they are declared", nil, []string{"long", "a", "b", "c"}},
		{"as they were chosen", Chosen{"c", "long", "b", "a"}, []string{"long", "c", "b", "a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var began []string // one at once, so that nothing races
			jobs := func() (jobs []Job) {
				for _, id := range []string{"a", "b", "long", "c"} {
					jobs = append(jobs, Job{ID: id, Long: id == "long", Run: func(context.Context, *Outcome) { began = append(began, id) }})
				}
				return jobs
			}
			var pool Pool
			pool.Start(t.Context(), 1, test.chosen, jobs)
			pool.Wait(t.Context())
			if !slices.Equal(began, test.want) {
				t.Errorf("want the cases to begin as %v, found %v", test.want, began)
			}
		})
	}
}

func TestChosenHas(t *testing.T) {
	if !Chosen(nil).Has("a") || !(Chosen{"a"}).Has("a") || (Chosen{"b"}).Has("a") {
		t.Error("want every case without a choice, and otherwise those that were chosen")
	}
}
