// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"cmp"
	"slices"
)

// Chosen are the ids of the cases that run, in the order of the run; nil is every case, in the order in which they are
// declared.
type Chosen []string

// Has reports whether the case runs.
func (c Chosen) Has(id string) bool { return c == nil || slices.Contains(c, id) }

// sort puts the jobs in the order in which they begin: long ones first, so that no run ends with one of them alone, and then
// in the order of the run.
func (c Chosen) sort(jobs []Job) {
	at := make(map[string]int, len(c))
	for i, id := range c {
		at[id] = i
	}
	slices.SortStableFunc(jobs, func(a, b Job) int {
		if a.Long != b.Long {
			if a.Long {
				return -1
			}
			return 1
		}
		return cmp.Compare(at[a.ID], at[b.ID])
	})
}
