// SPDX-License-Identifier: Apache-2.0

package model

import (
	"maps"
	"slices"
	"strings"
)

// meets reports whether a volume in the segment is accessible from what the term of a request names: the segment has
// every key of it, in whatever letter case (TO-07), with its value. A term with fewer keys than the segments is met by
// each that has them, and one without any by every segment; the specification leaves both open (A1).
func (s Segment) meets(term Segment) bool {
	for key, value := range term {
		if got, found := s.value(key); !found || got != value {
			return false
		}
	}
	return true
}

// meetsLoosely does what meets does, for a driver that passes over the keys of a term which the segment does not have,
// as long as there is another.
func (s Segment) meetsLoosely(term Segment) bool {
	shared := false
	for key, value := range term {
		got, found := s.value(key)
		if found && got != value {
			return false
		}
		shared = shared || found
	}
	return shared || len(term) == 0
}

// value returns the value of the key, in whatever letter case.
func (s Segment) value(key string) (value string, found bool) {
	if value, found = s[key]; found {
		return value, true
	}
	for own, value := range s {
		if strings.EqualFold(own, key) {
			return value, true
		}
	}
	return "", false
}

// equalFold does what Equal does, for keys in whatever letter case.
func (s Segment) equalFold(other Segment) bool {
	return len(s) == len(other) && s.meets(other)
}

// containsFold does what Contains does, for keys in whatever letter case.
func (s Set) containsFold(segment Segment) bool {
	return slices.ContainsFunc(s, segment.equalFold)
}

// containsKeyFold reports whether the segment has a key of the set's in another letter case.
func (s Set) containsKeyFold(segment Segment) bool {
	keys := s.keys()
	for key := range segment {
		same := func(known string) bool { return strings.EqualFold(known, key) }
		if !slices.Contains(keys, key) && slices.ContainsFunc(keys, same) {
			return true
		}
	}
	return false
}

// keys returns all keys of the set's segments, with repetitions.
func (s Set) keys() []string {
	var keys []string
	for _, segment := range s {
		keys = slices.AppendSeq(keys, maps.Keys(segment))
	}
	return keys
}

// sameKeys returns the keys of each segment of the set; alike is false if they differ.
func (s Set) sameKeys() (keys []string, alike bool) {
	different := func(segment Segment) bool { return len(segment) != len(s[0]) || !segment.hasKeysOf(s[0]) }
	if len(s) == 0 || len(s[0]) == 0 || slices.ContainsFunc(s, different) {
		return nil, false
	}
	return slices.Collect(maps.Keys(s[0])), true
}

// meeting returns the segments of the set that meet the term.
func (s Set) meeting(term Segment) Set {
	var found Set
	for _, segment := range s {
		if segment.meets(term) {
			found = append(found, segment)
		}
	}
	return found
}

// StandingFor returns the segments that an answered set is accessible from: a topology with fewer keys than the
// segments stands for each that has them, as Kubernetes reads it (A1); any other for itself.
func (s Set) StandingFor(answered Set) Set {
	var whole Set
	for _, topology := range answered {
		wider := func(segment Segment) bool { return !segment.Matches(topology) }
		covered := slices.DeleteFunc(slices.Clone(s), wider)
		if s.Contains(topology) || len(covered) == 0 {
			covered = Set{topology}
		}
		whole = append(whole, covered...)
	}
	return whole
}

// overlaps reports whether a node may be in both topologies: they have a key in common, and no key with different values.
func (s Segment) overlaps(other Segment) bool {
	shared := false
	for key, value := range other {
		if own, found := s[key]; found && own != value {
			return false
		} else if found {
			shared = true
		}
	}
	return shared
}

// hasKeysOf reports whether the segment has every key of the topology, whatever the values.
func (s Segment) hasKeysOf(topology Segment) bool {
	for key := range topology {
		if _, found := s[key]; !found {
			return false
		}
	}
	return true
}
