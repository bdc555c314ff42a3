// SPDX-License-Identifier: Apache-2.0

package vectors

import (
	_ "embed" // for the vectors
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

//go:embed vectors.json
var written []byte

// Topology is one topology of a request or of an answer: a value for each key.
type Topology = map[string]string

// Verdict is the specification's verdict on an answer.
type Verdict string

const (
	// Forbidden is an answer that contradicts a MUST or SHALL.
	Forbidden Verdict = "forbidden"
	// Discouraged is an answer that contradicts no MUST, but that users will regret.
	Discouraged Verdict = "discouraged"
	// Allowed is an answer that follows the request.
	Allowed Verdict = "allowed"
)

// Answer is a driver's answer: the accessible_topology of a volume, or a gRPC code.
type Answer struct {
	// Topologies are the topologies that the volume is accessible from. They matter only if Code is empty or OK.
	Topologies []Topology
	// Code is the name of the gRPC code, as in the specification: RESOURCE_EXHAUSTED.
	Code string
}

// Load returns the vectors. It puts the prefix before each topology key, such as "topology.example.com/".
func Load(prefix string) (File, error) {
	var file File
	if err := json.Unmarshal(written, &file); err != nil {
		return File{}, fmt.Errorf("reading vectors.json: %w", err)
	}
	for name, topology := range file.Topologies {
		prefixed := Topology{}
		for key, value := range topology {
			prefixed[prefix+key] = value
		}
		file.Topologies[name] = prefixed
	}
	return file, nil
}

// Named returns copies of the topologies with these names.
func (f File) Named(names []string) []Topology {
	var topologies []Topology
	for _, name := range names {
		topologies = append(topologies, maps.Clone(f.Topologies[name]))
	}
	return topologies
}

// Judge returns the specification's verdict on an answer to the vector. The order of topologies has no meaning. A topology with
// fewer keys than the segments means the segment that has these keys, if there is only one.
func (f File) Judge(v Vector, a Answer) Verdict {
	a.Topologies = whole(f.Named(v.Segments), a.Topologies)
	switch {
	case f.has(v.Allowed, a):
		return Allowed
	case f.has(v.Discouraged, a):
		return Discouraged
	default:
		return Forbidden
	}
}

// whole returns the topologies, and completes the keys of each topology that matches only one segment.
func whole(segments, answered []Topology) []Topology {
	var found []Topology
	for _, topology := range answered {
		others := func(segment Topology) bool { return !within(segment, topology) }
		if meant := slices.DeleteFunc(slices.Clone(segments), others); len(meant) == 1 {
			topology = meant[0]
		}
		found = append(found, topology)
	}
	return found
}

// within reports whether the segment has all keys of the topology, with their values.
func within(segment, topology Topology) bool {
	for key, value := range topology {
		if own, found := segment[key]; !found || own != value {
			return false
		}
	}
	return len(topology) > 0
}

// has reports whether a is one of the answers.
func (f File) has(answers Answers, a Answer) bool {
	if a.Code != "" && a.Code != "OK" {
		return slices.Contains(answers.Codes, a.Code)
	}
	return slices.ContainsFunc(answers.Volumes, func(names []string) bool { return same(f.Named(names), a.Topologies) })
}

// same reports whether both lists have the same topologies. The topologies in want are unique.
func same(wanted, got []Topology) bool {
	missing := func(topology Topology) bool {
		return !slices.ContainsFunc(got, func(other Topology) bool { return maps.Equal(topology, other) })
	}
	return len(wanted) == len(got) && !slices.ContainsFunc(wanted, missing)
}
