package model

import (
	"fmt"
	"slices"
)

// Request is what CreateVolume is asked, as far as topology is concerned. Without requisite and preferred there is no
// TopologyRequirement in it, unless Empty says that there is one which names nothing.
type Request struct {
	// X is the number of segments that the volume is accessible from; it follows from the request's opaque parameters.
	X int
	// Bytes is the volume's size.
	Bytes int64
	// Requisite and Preferred are the lists of the TopologyRequirement.
	Requisite, Preferred Set
	// Empty asks for a TopologyRequirement with neither list.
	Empty bool
}

// Free reports whether nothing is said of where the volume is wanted.
func (r Request) Free() bool {
	return len(r.Requisite) == 0 && len(r.Preferred) == 0
}

// malformed is the clause that the request itself breaks, and how; empty when it is well formed.
func (r Request) malformed() Reason {
	if r.Empty {
		return Reason{"TR-03", "a TopologyRequirement has requisite, preferred or both"}
	}
	if len(r.Requisite) > 0 && slices.ContainsFunc(r.Preferred, func(p Segment) bool { return !r.Requisite.Contains(p) }) {
		return Reason{"PF-04", "every preferred topology is also in requisite"}
	}
	return Reason{}
}

// ghosts are the topologies of the request that no segment of the world matches.
func (r Request) ghosts(w World) Set {
	var unknown Set
	known := w.Segments()
	for _, term := range slices.Concat(r.Requisite, r.Preferred) {
		if !known.matching(term) {
			unknown = append(unknown, term)
		}
	}
	return unknown.distinct()
}

// String is the request in the specification's words, each topology on a line of its own.
func (r Request) String() string {
	text := fmt.Sprintf("x = %d, %d bytes", r.X, r.Bytes)
	switch {
	case r.Empty:
		return text + ", a TopologyRequirement that is empty"
	case r.Free():
		return text + ", no TopologyRequirement"
	}
	for _, list := range []struct {
		name     string
		segments Set
	}{{"requisite", r.Requisite}, {"preferred", r.Preferred}} {
		if len(list.segments) > 0 {
			text += fmt.Sprintf("\n%s:\n%s", list.name, list.segments.lines())
		}
	}
	return text
}
