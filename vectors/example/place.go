// SPDX-License-Identifier: Apache-2.0

// Package example has a driver's choice of topologies, and a test of it by the vectors. docs/vectors.md shows both.
package example

import (
	"maps"
	"slices"
	"strings"
)

type topology = map[string]string

// Place returns the x segments that a volume goes to, or the gRPC code of the error.
func Place(segments []topology, hasRoom func(topology) bool, requisite, preferred []topology, x int) ([]topology, string) {
	requisite, preferred = fold(requisite), fold(preferred)
	in := func(list []topology) func(topology) bool {
		return func(t topology) bool {
			return slices.ContainsFunc(list, func(other topology) bool { return maps.Equal(t, other) })
		}
	}
	outside := func(t topology) bool { return len(t) == 0 || len(requisite) > 0 && !in(requisite)(t) }
	if slices.ContainsFunc(preferred, outside) || in(requisite)(topology{}) {
		return nil, "INVALID_ARGUMENT"
	}
	required := expand(segments, requisite)
	attempts := append(expand(segments, preferred), required...)
	if x > len(required) {
		attempts = append(attempts, segments...)
	}
	var chosen []topology
	for _, t := range attempts {
		if len(chosen) < x && in(segments)(t) && hasRoom(t) && !in(chosen)(t) {
			chosen = append(chosen, t)
		}
	}
	left := func(t topology) bool { return !in(chosen)(t) }
	if len(chosen) < x || x >= len(required) && slices.ContainsFunc(required, left) {
		return nil, "RESOURCE_EXHAUSTED"
	}
	return chosen, "OK"
}

// expand returns the segments that the topologies stand for, each once, and the topologies that stand for none.
func expand(segments, topologies []topology) []topology {
	var found []topology
	for _, t := range topologies {
		meant := slices.DeleteFunc(slices.Clone(segments), func(segment topology) bool { return !within(segment, t) })
		if len(meant) == 0 {
			meant = []topology{t}
		}
		for _, segment := range meant {
			if !slices.ContainsFunc(found, func(other topology) bool { return maps.Equal(segment, other) }) {
				found = append(found, segment)
			}
		}
	}
	return found
}

// fold returns the topologies with lower-case keys, as those of the segments are: keys are case-insensitive.
func fold(topologies []topology) []topology {
	var folded []topology
	for _, t := range topologies {
		lower := topology{}
		for key, value := range t {
			lower[strings.ToLower(key)] = value
		}
		folded = append(folded, lower)
	}
	return folded
}

// within reports whether a segment has all keys of a topology, with their values.
func within(segment, t topology) bool {
	for key, value := range t {
		if segment[key] != value {
			return false
		}
	}
	return true
}
