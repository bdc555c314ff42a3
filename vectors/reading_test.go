// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/vectors"
)

// reading reads a vector as the specification does, by trying every set of segments. It shares nothing with the oracle that the
// vectors are from.
type reading struct {
	segments             []vectors.Topology
	requisite, preferred []vectors.Topology
	// full and existing are sets of segments, as bits. existing is 0 if the name is new.
	full, existing uint
	x              int
	// empty says that there is a TopologyRequirement without lists.
	empty bool
}

func read(file vectors.File, v vectors.Vector) reading {
	r := reading{segments: file.Named(v.Segments), x: v.X}
	for i, name := range v.Segments {
		if slices.Contains(v.Full, name) {
			r.full |= 1 << i
		}
		if slices.Contains(v.Existing, name) {
			r.existing |= 1 << i
		}
	}
	if v.Requirement != nil {
		r.requisite, r.preferred = file.Named(v.Requirement.Requisite), file.Named(v.Requirement.Preferred)
		r.empty = len(r.terms()) == 0
	}
	return r
}

func (r reading) terms() []vectors.Topology { return slices.Concat(r.requisite, r.preferred) }

// value returns the value of a key, regardless of letter case.
func value(topology vectors.Topology, key string) (string, bool) {
	for own, value := range topology {
		if strings.EqualFold(own, key) {
			return value, true
		}
	}
	return "", false
}

// way is how a driver may interpret a topology that is not one of its segments: as one topology, or as each segment that has
// all of its keys. It may also ignore keys that no segment has.
type way struct{ each, loose bool }

// strictly returns the ways of a driver that ignores no key.
func strictly() []way { return []way{{false, false}, {true, false}} }

// loosely returns the ways of a driver that ignores unknown keys.
func loosely() []way { return []way{{false, true}, {true, true}} }

// meant returns the segments that match a topology of the request.
func (r reading) meant(term vectors.Topology, w way) uint {
	var set uint
	for i, segment := range r.segments {
		differs, shared := false, len(term) == 0
		for key, wanted := range term {
			got, found := value(segment, key)
			shared = shared || found
			differs = differs || found && got != wanted || !found && !w.loose
		}
		if shared && !differs {
			set |= 1 << i
		}
	}
	return set
}

// topologies returns the n topologies of requisite, each as the segments that match it.
func (r reading) topologies(w way) []uint {
	var found []uint
	for i, term := range r.requisite {
		set := r.meant(term, w)
		if repeated := slices.ContainsFunc(r.requisite[:i], equal(term)); repeated {
			continue
		}
		if !w.each || set == 0 {
			found = append(found, set)
			continue
		}
		for j := range r.segments {
			if one := uint(1) << j; set&one != 0 && !slices.Contains(found, one) {
				found = append(found, one)
			}
		}
	}
	return found
}

// permits reports whether requisite lets a volume be accessible from the set: by x = n, x < n or x > n.
func (r reading) permits(set uint, w way) bool {
	topologies := r.topologies(w)
	within := uint(0)
	for _, topology := range topologies {
		within |= topology
	}
	missed := func(topology uint) bool { return topology&set == 0 }
	switch {
	case set == 0 || !r.free() && bits.OnesCount(set) != r.x:
		return false
	case r.x < len(topologies):
		return set&^within == 0
	default:
		return !slices.ContainsFunc(topologies, missed)
	}
}

func (r reading) free() bool { return len(r.terms()) == 0 }

// serves returns for each preferred topology, first to last, how many segments of the set match it and no earlier one.
func (r reading) serves(set uint, w way) []int {
	var counts []int
	for _, term := range r.preferred {
		served := set & r.meant(term, w)
		if w.each {
			counts, set = append(counts, bits.OnesCount(served)), set&^served
		} else {
			counts = append(counts, min(1, bits.OnesCount(served)))
		}
	}
	return counts
}

// best returns the sets that a driver can reach by trying preferred in order.
func (r reading) best(w way) []uint {
	var found []uint
	for set := range uint(1) << len(r.segments) {
		if !r.permits(set, w) || set&r.full != 0 {
			continue
		}
		order := 1
		if len(found) > 0 {
			order = slices.Compare(r.serves(set, w), r.serves(found[0], w))
		}
		if order > 0 && len(r.preferred) > 0 {
			found = nil
		}
		if order >= 0 {
			found = append(found, set)
		}
	}
	return found
}

// reaches reports whether a driver that interprets the request in one of the ways may answer with the set.
func (r reading) reaches(set uint, ways []way) bool {
	return slices.ContainsFunc(ways, func(w way) bool {
		if r.existing != 0 {
			return set == r.existing && r.permits(set, w)
		}
		return slices.Contains(r.best(w), set)
	})
}

// volume returns the specification's verdict on a volume that is accessible from the set.
func (r reading) volume(set uint) vectors.Verdict {
	someOfRequisite := r.existing != 0 && set == r.existing && bits.OnesCount(set) == r.x &&
		slices.ContainsFunc(r.requisite, func(term vectors.Topology) bool { return r.meant(term, way{})&set != 0 })
	switch {
	case r.reaches(set, strictly()) && !r.regretted():
		return vectors.Allowed
	case set == 0, r.reaches(set, strictly()), r.reaches(set, loosely()), someOfRequisite:
		return vectors.Discouraged
	default:
		return vectors.Forbidden
	}
}

func equal(topology vectors.Topology) func(vectors.Topology) bool {
	return func(other vectors.Topology) bool { return maps.Equal(topology, other) }
}

// TestVolumesAsRead compares each volume that a driver may answer with, by all keys of its segments, with the reading.
func TestVolumesAsRead(t *testing.T) {
	file := load(t)
	for _, v := range file.Vectors {
		r := read(file, v)
		for set := range uint(1) << len(r.segments) {
			var answer vectors.Answer
			for i, segment := range r.segments {
				if set>>i&1 == 1 {
					answer.Topologies = append(answer.Topologies, segment)
				}
			}
			if got, want := file.Judge(v, answer), r.volume(set); got != want {
				t.Errorf("%s: accessible from %v is %s, want %s", v, answer.Topologies, got, want)
			}
		}
	}
}

// TestWideAnswersAreDiscouraged wants no volume to be as asked that lists a topology which stands for several segments.
func TestWideAnswersAreDiscouraged(t *testing.T) {
	file := load(t)
	for _, v := range file.Vectors {
		for _, names := range v.Allowed.Volumes {
			if other := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(v.Segments, name) }); other >= 0 {
				t.Errorf("%s: %s is none of the segments", v, names[other])
			}
		}
	}
}

func load(t *testing.T) vectors.File {
	t.Helper()
	file, err := vectors.Load("")
	if err != nil {
		t.Fatal(err)
	}
	return file
}
