// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math/bits"
	"slices"
)

// question is a request in a world, in numbers. This file implements the specification, and the suite's positions where the
// specification is silent, a second time: on bit sets of segments, without any code of the package.
type question struct {
	// segments is the number of places that exist.
	segments int
	// backwards lists them from the last to the first: their order has no meaning.
	backwards bool
	// full are the segments without room, and untold the other segments whose room is unknown.
	full, untold uint
	// open says that there may be more segments than these.
	open bool
	// byRegion says that segments are whole regions, as for a driver whose topologies have no other key.
	byRegion bool
	// x is the number of segments that the volume is accessible from, 0 if unknown.
	x int
	// shares says that all segments of a volume are in one region.
	shares bool
	// requisite and preferred are the lists of the requirement; empty means that there is a requirement that has
	// neither.
	requisite, preferred []term
	empty                bool
	// existing holds the segments of the volume that has the name already, none if the name is new.
	existing uint
}

// term is one topology of a request, by the numbers of its region and zone; 0 is a key that it lacks. rack is a key that
// no segment has, and upper has the keys in another letter case than the segments.
type term struct {
	region, zone, rack int
	upper              bool
}

// places are the segments that a world may have: it has the first few of them.
var places = [...]term{{region: 1, zone: 1}, {region: 1, zone: 2}, {region: 1, zone: 3}, {region: 2, zone: 1}, {region: 2, zone: 2}}

// way is how a driver may take a term that is not a segment: as one topology, or as each of the segments that it stands
// for (A1, A8); loosely, it passes over a key that the segments do not have.
type way struct{ each, loose bool }

// within reports whether a term has all keys of another one.
func (t term) within(wider term) bool {
	has := func(got, wanted int) bool { return wanted == 0 || got == wanted }
	return has(t.region, wider.region) && has(t.zone, wider.zone) && has(t.rack, wider.rack)
}

// known returns the question's segments.
func (q question) known() []term {
	if !q.byRegion {
		return places[:q.segments]
	}
	var regions []term
	for _, place := range places[:q.segments] {
		if region := (term{region: place.region}); !slices.Contains(regions, region) {
			regions = append(regions, region)
		}
	}
	return regions
}

// regions returns the question for a driver whose topologies have only the region as a key. A region has room if one of its
// zones has.
func (q question) regions() question {
	seen := q
	seen.byRegion = true
	seen.requisite, seen.preferred = q.inRegions(q.requisite), q.inRegions(q.preferred)
	seen.full, seen.existing = 0, q.regionsOf(q.existing)
	for i, region := range seen.known() {
		if q.matched(region, false)&^q.full == 0 {
			seen.full |= 1 << i
		}
	}
	return seen
}

// inRegions returns the terms. One without a region gets the region of the segments that it stands for, if they have
// one in common.
func (q question) inRegions(terms []term) []term {
	var seen []term
	for _, t := range terms {
		if regions := q.regionsOf(q.matched(t, false)); t.region == 0 && !t.nothing() && bits.OnesCount(regions) == 1 {
			t = term{region: 1 + bits.TrailingZeros(regions)}
		}
		seen = append(seen, t)
	}
	return seen
}

// regionsOf returns the regions of a set of places, as a set of them.
func (q question) regionsOf(set uint) uint {
	var regions uint
	for i, place := range places[:q.segments] {
		if set>>i&1 == 1 {
			regions |= 1 << (place.region - 1)
		}
	}
	return regions
}

// matched returns the segments that match the term.
func (q question) matched(t term, loose bool) uint {
	if loose && t.region+t.zone > 0 {
		t.rack = 0
	}
	if loose && t.region > 0 && q.byRegion {
		t.zone, t.rack = 0, 0
	}
	var set uint
	for i, place := range q.known() {
		if place.within(t) {
			set |= 1 << i
		}
	}
	return set
}

// union returns the segments that match any of the terms.
func (q question) union(terms []term, loose bool) uint {
	var set uint
	for _, t := range terms {
		set |= q.matched(t, loose)
	}
	return set
}

func (q question) free() bool { return len(q.requisite)+len(q.preferred) == 0 }

// counted returns the requisite topologies, each as the segments that match it.
func (q question) counted(w way) []uint {
	var topologies []uint
	seen := map[term]bool{}
	for _, t := range q.requisite {
		if set := q.matched(t, w.loose); !seen[t] && (!w.each || set == 0) {
			topologies = append(topologies, set)
		}
		seen[t] = true
	}
	if union := q.union(q.requisite, w.loose); w.each {
		for i := range q.known() {
			if one := uint(1) << i; union&one != 0 {
				topologies = append(topologies, one)
			}
		}
	}
	return topologies
}

// obeys reports whether the requirement lets a volume be accessible from the set, order of preference and room aside.
func (q question) obeys(set uint, w way) bool {
	topologies := q.counted(w)
	switch {
	case q.free():
		return set != 0
	case set == 0 || bits.OnesCount(set) != q.x:
		return false
	case q.x < len(topologies):
		return set&^q.union(q.requisite, w.loose) == 0
	default:
		return !slices.ContainsFunc(topologies, func(topology uint) bool { return set&topology == 0 })
	}
}

// weight returns a number that is larger the earlier the set's segments come in preferred.
func (q question) weight(set uint, w way) int {
	const more = 8 // more than the number of segments
	sum := 0
	for _, t := range q.preferred {
		served := set & q.matched(t, w.loose)
		sum *= more
		switch {
		case w.each:
			sum += bits.OnesCount(served)
			set &^= served
		case served != 0:
			sum++
		}
	}
	return sum
}

// apart reports whether segments of the set are in two regions, although all segments of a volume must be in one.
func (q question) apart(set uint) bool {
	regions := map[int]bool{}
	for i, place := range q.known() {
		if set>>i&1 == 1 {
			regions[place.region] = true
		}
	}
	return q.shares && len(regions) > 1
}

// best returns the sets of x segments that have room, obey the requirement, may be combined, and follow preferred best.
func (q question) best(w way) []uint {
	var sets []uint
	heaviest := 0
	for set := range uint(1) << len(q.known()) {
		if bits.OnesCount(set) != q.x || set&q.full != 0 || q.apart(set) || !q.obeys(set, w) {
			continue
		}
		weight := q.weight(set, w)
		if weight > heaviest || len(sets) == 0 {
			sets, heaviest = nil, weight
		}
		if weight == heaviest {
			sets = append(sets, set)
		}
	}
	return sets
}

// either returns the best sets for either way.
func (q question) either(loose bool) []uint {
	return append(q.best(way{false, loose}), q.best(way{true, loose})...)
}

// asked reports whether the predicate holds for any topology of the request.
func (q question) asked(such func(term) bool) bool {
	return slices.ContainsFunc(q.requisite, such) || slices.ContainsFunc(q.preferred, such)
}

// loosely reports whether a driver that ignores keys may answer differently.
func (q question) loosely() bool {
	return q.asked(func(t term) bool { return q.matched(t, true) != q.matched(t, false) })
}

// outside reports whether a preferred topology is not in requisite, and beyond whether no requisite topology contains it.
func (q question) outside() (outside, beyond bool) {
	if len(q.requisite) == 0 {
		return false, false
	}
	for _, p := range q.preferred {
		alike := func(r term) bool { return p.within(r) && r.within(p) }
		outside = outside || !slices.ContainsFunc(q.requisite, alike)
		beyond = beyond || !slices.ContainsFunc(q.requisite, p.within)
	}
	return outside, beyond
}

// regretted reports whether users would regret any volume as the answer.
func (q question) regretted() bool {
	_, beyond := q.outside()
	return beyond || q.asked(term.nothing)
}

// nothing reports whether the term has no keys.
func (t term) nothing() bool { return t.region+t.zone+t.rack == 0 }

// volume returns the grade of an OK answer that lists the set.
func (q question) volume(set uint) Grade {
	right := Allowed
	if q.regretted() {
		right = Discouraged
	}
	switch {
	case set == 0:
		return Discouraged // the volume is accessible from everywhere, it says
	case q.existing == 0 && q.apart(set):
		q.shares = false // such volumes exist, it says
		return min(q.volume(set), Discouraged)
	case q.existing != 0 && set != q.existing:
		return Forbidden
	case q.existing != 0 && (q.obeys(set, way{}) || q.obeys(set, way{each: true})):
		return right
	case q.existing != 0 && q.loosely() && (q.obeys(set, way{loose: true}) || q.obeys(set, way{true, true})):
		return Discouraged
	case q.existing != 0 && bits.OnesCount(set) == q.x && set&q.union(q.requisite, false) != 0:
		return Discouraged // from one of them, which may be enough
	case q.existing != 0:
		return Forbidden
	case q.free() && set != 0 && set&q.full == 0:
		return Allowed // the driver chooses where, and from how many
	case slices.Contains(q.either(false), set):
		return right
	case q.loosely() && slices.Contains(q.either(true), set):
		return Discouraged
	default:
		return Forbidden
	}
}

// besideRegion returns the grade of an OK answer that lists region 1 as a whole, and other segments. The region then means each
// of its segments.
func (q question) besideRegion(set uint) Grade {
	stands := q.matched(term{region: 1}, false)
	switch {
	case stands&set != 0:
		return Forbidden
	case bits.OnesCount(stands) == 1:
		return q.of(stands | set).volume(stands | set)
	default:
		return min(q.eitherCount(1+bits.OnesCount(set), stands|set), Discouraged)
	}
}

// asRegions returns the grade of an OK answer that lists whole regions: each is one topology, or all of its segments.
func (q question) asRegions(regions uint) Grade {
	var stands uint
	for i, region := range q.regions().known() {
		if regions>>i&1 == 1 {
			stands |= q.matched(region, false)
		}
	}
	count := bits.OnesCount(regions)
	grade := q.eitherCount(count, stands)
	if bits.OnesCount(stands) != count {
		grade = min(grade, Discouraged)
	}
	seen := q.regions()
	seen.x = seen.of(regions).x
	if bits.OnesCount(seen.existing) != bits.OnesCount(q.existing) {
		return grade // the volume is in two segments of one region
	}
	return max(grade, min(seen.volume(regions), Discouraged))
}

// eitherCount returns the grade of a set that an answer lists by the given number of topologies, which may tell x too.
func (q question) eitherCount(topologies int, set uint) Grade {
	grade := q.of(set).volume(set)
	if q.x == 0 && q.existing == 0 {
		q.x = topologies
		grade = max(grade, q.volume(set))
	}
	return grade
}

// of returns the question with the x that the answer shows, if x is unknown.
func (q question) of(set uint) question {
	switch {
	case q.x != 0:
	case q.existing != 0:
		q.x = bits.OnesCount(q.existing)
	default:
		q.x = max(1, bits.OnesCount(set))
	}
	return q
}

// whereverUntold returns the grade of an answer if there may be room, or none, in each untold segment that the answer
// is not in.
func (q question) whereverUntold(answered uint, grade func(question) Grade) Grade {
	untold := q.untold &^ q.full &^ answered
	if q.existing != 0 {
		untold = 0
	}
	var grades []Grade
	for full := range uint(1) << q.segments {
		if full&^untold == 0 {
			with := q
			with.full |= full
			grades = append(grades, grade(with))
		}
	}
	return undecided(grades)
}

// undecided returns what is known of an answer that has one of the grades.
func undecided(grades []Grade) Grade {
	worst, best := slices.Min(grades), slices.Max(grades)
	if worst <= Unknown && best >= Unknown {
		return Unknown
	}
	return best
}

// can reports whether the question allows a volume as the answer.
func (q question) can() bool {
	if q.existing != 0 {
		return q.obeys(q.existing, way{}) || q.obeys(q.existing, way{each: true})
	}
	return len(q.either(false)) > 0
}
