// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// drawn returns n different questions, which are the same in every run.
func drawn(count int) []question {
	const seed = 33
	d := draw{rand.NewPCG(seed, seed)}
	var questions []question
	seen := map[string]bool{}
	free := 0
	const mostFree = 20 // a driver chooses where, so that these tell little
	for len(questions) < count {
		q := d.question()
		if key := fmt.Sprint(q); !seen[key] && (!q.free() || free < mostFree) {
			seen[key] = true
			if q.free() {
				free++
			}
			questions = append(questions, q)
		}
	}
	return questions
}

// draw makes random choices. It uses only the generator's numbers, because how other functions use them may change.
type draw struct{ source *rand.PCG }

// below returns a number from 0 to n-1.
func (d draw) below(n int) int { return int(d.source.Uint64() % uint64(n)) }

// one reports true once in n times.
func (d draw) one(in int) bool { return d.below(in) == 0 }

// some returns n of the topologies, in any order.
func (d draw) some(of model.Set, count int) model.Set {
	left := slices.Clone(of)
	var chosen model.Set
	for range count {
		i := d.below(len(left))
		chosen, left = append(chosen, left[i]), slices.Delete(left, i, i+1)
	}
	return chosen
}

// question chooses a driver, its segments without room, and a request.
func (d draw) question() question {
	all := worlds()
	q := question{segments: all[d.below(len(all))]}
	most := len(q.segments)
	q.x = 1 + min(d.below(3), d.below(3))
	if !d.one(3) {
		q.full = d.some(q.segments, d.below(most+1))
	}
	d.requisite(&q)
	d.preferred(&q)
	if q.free() {
		q.empty = d.one(4)
		return q
	}
	if q.x <= most && d.one(6) {
		q.existing = d.some(q.segments, q.x)
	}
	return q
}

// requisite chooses requisite: no topology, one, some or all, and sometimes an odd topology among them.
func (d draw) requisite(q *question) {
	most := len(q.segments)
	if d.one(8) {
		return
	}
	q.requisite = d.some(q.segments, []int{1, 1 + d.below(most), min(2, most), most}[d.below(4)])
	if d.one(2) {
		return
	}
	odd := d.odd(q.segments, q.requisite)
	if i := d.below(len(q.requisite)); d.one(2) {
		q.requisite[i] = odd
	} else {
		q.requisite = slices.Insert(q.requisite, i, odd)
	}
}

// odd chooses an unusual topology for the list: a duplicate, one that matches several segments, one that no node reports, one
// whose keys have another letter case, or one that is malformed.
func (d draw) odd(segments, list model.Set) model.Segment {
	segment := segments[d.below(len(segments))]
	kinds := [][]model.Segment{list, wider(segment), wider(segment), unknown(segment), unknown(segment), {elsewhere()}, rewritten(segment), malformed(segment)}
	kind := kinds[d.below(len(kinds))]
	return kind[d.below(len(kind))]
}

// preferred chooses preferred: no topology, a part of requisite in another order, all of it, its odd topologies before the
// rest, or topologies that are not in requisite.
func (d draw) preferred(q *question) {
	from := q.requisite
	if len(from) == 0 {
		from = q.segments
	}
	switch d.below(9) {
	case 0, 1:
	case 2, 3:
		q.preferred = d.some(from, 1+d.below(len(from)))
	case 4, 7:
		odd := slices.DeleteFunc(slices.Clone(from), q.segments.Contains)
		q.preferred = append(odd, d.some(from, 1+d.below(len(from)))...)
	case 5, 6: // as Kubernetes sends it
		turn := d.below(len(from))
		q.preferred = slices.Concat(from[turn:], from[:turn])
	default:
		q.preferred = d.some(q.segments, 1+d.below(len(q.segments)))
		q.preferred[d.below(len(q.preferred))] = d.odd(q.segments, q.preferred)
	}
}
