// SPDX-License-Identifier: Apache-2.0

package model

import (
	"maps"
	"slices"
	"strings"
)

// Segment is one place in a topology: a value for each of the driver's keys, such as a region and a zone.
type Segment map[string]string

// Equal reports whether both have the same keys with the same values.
func (s Segment) Equal(other Segment) bool {
	return maps.Equal(s, other)
}

// Matches reports whether the segment has every key of term, with its value: that is how Kubernetes interprets a term with
// fewer keys than a segment, which the specification leaves open.
func (s Segment) Matches(term Segment) bool {
	for key, value := range term {
		if got, found := s[key]; !found || got != value {
			return false
		}
	}
	return len(term) > 0
}

// String returns the segment's canonical name: key=value pairs in the order of their keys.
func (s Segment) String() string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(s)) {
		pairs = append(pairs, key+"="+s[key])
	}
	return strings.Join(pairs, ",")
}

// Set is a list of segments whose order does not matter.
type Set []Segment

// Contains reports whether segment is in the set.
func (s Set) Contains(segment Segment) bool {
	return slices.ContainsFunc(s, segment.Equal)
}

// distinct returns the set without repetitions.
func (s Set) distinct() Set {
	var kept Set
	for _, segment := range s {
		if !kept.Contains(segment) {
			kept = append(kept, segment)
		}
	}
	return kept
}

// Equal reports whether both contain the same segments, each the same number of times.
func (s Set) Equal(other Set) bool {
	return len(s) == len(other) && (len(s) == 0 || slices.EqualFunc(s, other, Segment.Equal) || slices.Equal(s.names(), other.names()))
}

func (s Set) names() []string {
	names := make([]string, 0, len(s))
	for _, segment := range s {
		names = append(names, segment.String())
	}
	slices.Sort(names)
	return names
}

// String lists the segments in braces, in the order of their names.
func (s Set) String() string {
	return "{" + strings.Join(s.names(), "; ") + "}"
}

// lines returns the segments in their order, each on a line.
func (s Set) lines() string {
	names := make([]string, 0, len(s))
	for _, segment := range s {
		name := segment.String()
		if len(segment) == 0 {
			name = "(a Topology without segments)"
		}
		names = append(names, "    "+name)
	}
	return strings.Join(names, "\n")
}
