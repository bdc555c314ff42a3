// SPDX-License-Identifier: Apache-2.0

package model

import (
	"maps"
	"slices"
	"strings"
)

// meets reports whether a volume in the segment is accessible from the topology that a term of a request names: the segment
// has every key of the term, in any letter case (TO-07), with its value. A term with fewer keys is met by each segment that
// has them, and a term without keys by every segment; the specification leaves both open (A1).
func (s Segment) meets(term Segment) bool {
	for key, value := range term {
		if got, found := s.value(key); !found || got != value {
			return false
		}
	}
	return true
}

// meetsLoosely is like meets, for a driver that ignores keys of a term that the segment does not have, if it has at least
// one.
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

// value returns the value of the key, in any letter case.
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

// equalFold is like Equal, for keys in any letter case.
func (s Segment) equalFold(other Segment) bool {
	return len(s) == len(other) && s.meets(other)
}

// containsFold is like Contains, for keys in any letter case.
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

// StandingFor returns the segments that an answered set means: a topology with fewer keys than the segments means each
// segment that has them, as in Kubernetes (A1); any other means itself.
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

// hasKeysOf reports whether the segment has every key of the topology, with any values.
func (s Segment) hasKeysOf(topology Segment) bool {
	for key := range topology {
		if _, found := s[key]; !found {
			return false
		}
	}
	return true
}
