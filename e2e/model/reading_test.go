package model

import (
	"math/bits"
	"slices"

	"google.golang.org/grpc/codes"
)

// question is a request in a world, in numbers: the specification is read once more here, on bit sets of the segments,
// and nothing of that reading is the package's.
type question struct {
	// segments is how many of the places there are.
	segments int
	// backwards has the world list them from the last to the first: their order means nothing.
	backwards bool
	// full are the segments without room.
	full uint
	x    int
	// requisite and preferred are the lists of the requirement; empty says that there is one which has neither.
	requisite, preferred []term
	empty                bool
	// existing are the segments of the volume that has the name already, none when the name is new.
	existing uint
}

// term is one topology of a request, by the numbers of its region and zone; 0 is a key that it lacks, and rack is a key
// that no segment has.
type term struct{ region, zone, rack int }

// places are the segments that a world may have: the first so many of them.
var places = [...]term{{region: 1, zone: 1}, {region: 1, zone: 2}, {region: 1, zone: 3}, {region: 2, zone: 1}, {region: 2, zone: 2}}

// matched are the segments that have every key of the term, with its value.
func (q question) matched(t term) uint {
	var set uint
	for i, place := range places[:q.segments] {
		region, zone := t.region == 0 || t.region == place.region, t.zone == 0 || t.zone == place.zone
		if region && zone && t.rack == 0 && t != (term{}) {
			set |= 1 << i
		}
	}
	return set
}

// union are the segments that match any of the terms.
func (q question) union(terms []term) uint {
	var set uint
	for _, t := range terms {
		set |= q.matched(t)
	}
	return set
}

func (q question) free() bool { return len(q.requisite)+len(q.preferred) == 0 }

// obeys reports whether the requirement lets a volume be accessible from the set, order of preference and room aside.
func (q question) obeys(set uint) bool {
	unlike := map[term]bool{}
	for _, t := range q.requisite {
		unlike[t] = true
	}
	switch n := len(unlike); {
	case q.free():
		return set != 0
	case set == 0 || bits.OnesCount(set) != q.x:
		return false
	case q.x < n:
		return set&^q.union(q.requisite) == 0
	default:
		return !slices.ContainsFunc(q.requisite, func(t term) bool { return set&q.matched(t) == 0 })
	}
}

// possible are the sets of x segments with room that obey.
func (q question) possible() []uint {
	var sets []uint
	for set := range uint(1) << q.segments {
		if bits.OnesCount(set) == q.x && set&q.full == 0 && q.obeys(set) {
			sets = append(sets, set)
		}
	}
	return sets
}

// weight is larger the earlier the preferred terms are that the set has a segment of.
func (q question) weight(set uint) int {
	sum := 0
	for _, t := range q.preferred {
		sum *= 2
		if set&q.matched(t) != 0 {
			sum++
		}
	}
	return sum
}

// outside reports whether a preferred topology is not in the requisite that there is.
func (q question) outside() bool {
	return len(q.requisite) > 0 && slices.ContainsFunc(q.preferred, func(t term) bool { return !slices.Contains(q.requisite, t) })
}

// unknown reports whether a topology is asked for in which there is no segment.
func (q question) unknown() bool {
	return slices.ContainsFunc(slices.Concat(q.requisite, q.preferred), func(t term) bool { return q.matched(t) == 0 })
}

// volume is the grade of an OK answer that lists the set.
func (q question) volume(set uint) Grade {
	switch {
	case q.existing != 0:
		if set == q.existing && q.obeys(set) {
			return Allowed
		}
		return Forbidden
	case q.free():
		// The driver chooses where, and from how many.
		if set != 0 && set&q.full == 0 {
			return Allowed
		}
		return Forbidden
	}
	possible := q.possible()
	better := func(other uint) bool { return q.weight(other) > q.weight(set) }
	switch {
	case !slices.Contains(possible, set) || slices.ContainsFunc(possible, better):
		return Forbidden
	case q.outside():
		return Discouraged
	default:
		return Allowed
	}
}

// refusal is the grade of an answer with the code.
func (q question) refusal(code codes.Code) Grade {
	possible := q.possible()
	can := len(possible) > 0
	if q.existing != 0 {
		can = q.obeys(q.existing)
	}
	switch {
	case code == codes.InvalidArgument && (q.empty || q.outside()):
		return Allowed
	case code == codes.InvalidArgument && q.unknown() && can:
		return Discouraged
	case code == codes.InvalidArgument && q.unknown():
		return Allowed
	case code == codes.AlreadyExists && q.existing != 0 && !can:
		return Allowed
	case code != codes.ResourceExhausted || q.existing != 0:
		return Forbidden
	case !can:
		return Allowed
	case q.empty || q.outside() || len(q.preferred) == 0:
		return Forbidden
	case slices.ContainsFunc(possible, func(set uint) bool { return set&^q.union(q.preferred) == 0 }):
		return Forbidden
	default:
		return Discouraged
	}
}
