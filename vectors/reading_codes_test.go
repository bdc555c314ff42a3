// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/vectors"
)

// possible reports whether a driver can create a volume that follows the request.
func (r reading) possible() bool {
	if r.existing != 0 {
		return r.reaches(r.existing, strictly())
	}
	return slices.ContainsFunc(strictly(), func(w way) bool { return len(r.rightNumber(w)) > 0 })
}

// rightNumber returns the best sets of x segments: a driver that may choose where may also choose from how many.
func (r reading) rightNumber(w way) []uint {
	return slices.DeleteFunc(r.best(w), func(set uint) bool { return bits.OnesCount(set) != r.x })
}

// malformed reports whether a topology of the request breaks a rule on keys and values.
func (r reading) malformed() bool {
	const longest = 63
	return slices.ContainsFunc(r.terms(), func(term vectors.Topology) bool {
		seen := map[string]bool{}
		broken := len(term) == 0
		for key, value := range term {
			broken = broken || key == "" || value == "" || len(value) > longest || seen[strings.ToLower(key)]
			seen[strings.ToLower(key)] = true
		}
		return broken
	})
}

// within reports whether a topology has every key of a wider one, regardless of letter case.
func within(topology, wider vectors.Topology) bool {
	for key, wanted := range wider {
		if got, found := value(topology, key); !found || got != wanted {
			return false
		}
	}
	return true
}

// outside reports whether a preferred topology is not in requisite, and beyond whether no requisite topology contains it.
func (r reading) outside() (outside, beyond bool) {
	for _, p := range r.preferred {
		contains := func(q vectors.Topology) bool { return within(p, q) && len(p) == len(q) }
		holds := func(q vectors.Topology) bool { return within(p, q) }
		outside = outside || len(r.requisite) > 0 && !slices.ContainsFunc(r.requisite, contains)
		beyond = beyond || len(r.requisite) > 0 && !slices.ContainsFunc(r.requisite, holds)
	}
	return outside, beyond
}

// regretted reports whether the request has faults because of which it should not get a volume.
func (r reading) regretted() bool {
	_, beyond := r.outside()
	return beyond || r.malformed()
}

// unknown reports whether some topology of the request matches no segment, and unlike whether one matches segments without
// being one.
func (r reading) unknown() bool {
	return slices.ContainsFunc(r.terms(), func(term vectors.Topology) bool { return r.meant(term, way{}) == 0 })
}

func (r reading) unlike() bool {
	return slices.ContainsFunc(r.terms(), func(term vectors.Topology) bool {
		return len(term) > 0 && r.meant(term, way{}) != 0 && !slices.ContainsFunc(r.segments, equal(term))
	})
}

// repeats reports whether one of the lists names a topology twice.
func (r reading) repeats() bool {
	return slices.ContainsFunc([][]vectors.Topology{r.requisite, r.preferred}, func(list []vectors.Topology) bool { return distinct(list) < len(list) })
}

func distinct(list []vectors.Topology) int {
	count := 0
	for i, topology := range list {
		if !slices.ContainsFunc(list[:i], equal(topology)) {
			count++
		}
	}
	return count
}

// more reports whether the driver has to choose topologies in addition to all of requisite: x > n.
func (r reading) more() bool { return len(r.requisite) > 0 && r.x > distinct(r.requisite) }

// code returns the specification's verdict on an answer with the code.
func (r reading) code(code string) vectors.Verdict {
	outside, _ := r.outside()
	flawed := r.empty || outside || r.malformed()
	switch code {
	case "INVALID_ARGUMENT":
		odd := r.unknown() || r.unlike() || r.repeats() || r.more() && r.existing == 0
		return verdict(flawed || r.unknown() && !r.possible(), odd)
	case "ALREADY_EXISTS":
		preferredElsewhere := len(r.requisite) == 0 && len(r.preferred) > 0 && r.existing&^r.ofPreferred() != 0
		return verdict(r.existing != 0 && !r.possible(), r.existing != 0 && (r.unlike() || preferredElsewhere))
	case "RESOURCE_EXHAUSTED":
		if r.existing != 0 {
			asNew := r
			asNew.existing = 0
			return verdict(!r.possible() && asNew.code(code) == vectors.Allowed, false)
		}
		return r.exhausted(flawed)
	case "CANCELLED", "UNKNOWN", "DEADLINE_EXCEEDED", "FAILED_PRECONDITION", "INTERNAL", "UNAVAILABLE", "DATA_LOSS":
		return verdict(false, r.free() && !r.empty && r.existing == 0 && !r.possible())
	default:
		return vectors.Forbidden
	}
}

// exhausted returns the specification's verdict on RESOURCE_EXHAUSTED for a new name.
func (r reading) exhausted(flawed bool) vectors.Verdict {
	n := distinct(r.requisite)
	without := func(term vectors.Topology) bool { return r.meant(term, way{})&^r.full == 0 }
	untried := len(r.preferred) == 0 && r.x < n && slices.ContainsFunc(r.requisite, without)
	fallsBack := len(r.preferred) > 0 && !slices.ContainsFunc(strictly(), func(w way) bool {
		return slices.ContainsFunc(r.best(w), func(set uint) bool { return set&^r.ofPreferred() == 0 })
	})
	countsTwice := n < r.x && r.x <= len(r.requisite)
	if !r.possible() {
		return verdict(!r.malformed(), true)
	}
	return verdict(countsTwice, !flawed && (fallsBack || untried || r.more()) || r.unlike())
}

// ofPreferred returns the segments that match preferred topologies.
func (r reading) ofPreferred() uint {
	var set uint
	for _, term := range r.preferred {
		set |= r.meant(term, way{})
	}
	return set
}

func verdict(allowed, discouraged bool) vectors.Verdict {
	switch {
	case allowed:
		return vectors.Allowed
	case discouraged:
		return vectors.Discouraged
	default:
		return vectors.Forbidden
	}
}

// TestCodesAsRead compares each code that a driver may answer with the reading.
func TestCodesAsRead(t *testing.T) {
	file := load(t)
	for _, v := range file.Vectors {
		r := read(file, v)
		for _, code := range strings.Fields("CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED " +
			"FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED") {
			if got, want := file.Judge(v, vectors.Answer{Code: code}), r.code(code); got != want {
				t.Errorf("%s: %s is %s, want %s", v, code, got, want)
			}
		}
	}
}
