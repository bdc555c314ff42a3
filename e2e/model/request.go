// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"
)

// Request is a request of CreateVolume, as far as topology is concerned. Without requisite and preferred it has no
// TopologyRequirement, unless Empty says that it has one that names nothing.
type Request struct {
	// X is the number of segments that the volume is accessible from, which follows from the request's opaque
	// parameters. It is 0 if unknown: the answer shows it.
	X int
	// Everywhere reports that such a volume is accessible from every segment, and its answer need not list them. X is 0
	// then.
	Everywhere bool
	// Sharing is a key that has one value in all topologies of such a volume, as when each copy of a disk is in another
	// zone of one region; empty if any topologies go together.
	Sharing string
	// Bytes is the volume's size.
	Bytes int64
	// Requisite and Preferred are the lists of the TopologyRequirement.
	Requisite, Preferred Set
	// Empty requests a TopologyRequirement with neither list.
	Empty bool
}

// Free reports whether the request names no topology.
func (r Request) Free() bool {
	return len(r.Requisite) == 0 && len(r.Preferred) == 0
}

// only returns the request with only these keys, and no topology twice.
func (r Request) only(keys []string) Request {
	r.Requisite, r.Preferred = r.Requisite.only(keys).distinct(), r.Preferred.only(keys).distinct()
	return r
}

// inKeys returns the request as read by a driver whose topologies have only these keys: a topology with none of them is
// replaced by the topology that all segments that meet it have in common, if there is one.
func (r Request) inKeys(keys []string, known Set) Request {
	named := func(terms Set) Set {
		var found Set
		for _, term := range terms {
			has := func(key string) bool { _, found := term.value(key); return found }
			if seen := known.meeting(term).only(keys).distinct(); len(term) > 0 && !slices.ContainsFunc(keys, has) && len(seen) == 1 {
				term = seen[0]
			}
			found = append(found, term)
		}
		return found
	}
	r.Requisite, r.Preferred = named(r.Requisite), named(r.Preferred)
	return r
}

// ghosts returns the topologies of the request that no segment of the world meets.
func (r Request) ghosts(w World) Set {
	var unknown Set
	for _, term := range r.terms() {
		if len(w.Segments().meeting(term)) == 0 {
			unknown = append(unknown, term)
		}
	}
	return unknown.distinct()
}

// unlike returns the topologies of the request that segments of the world meet, and that are none of them: they have fewer
// keys, or keys in another letter case.
func (r Request) unlike(w World) Set {
	var found Set
	known := w.Segments()
	for _, term := range r.terms() {
		if len(term) > 0 && !known.Contains(term) && len(known.meeting(term)) > 0 {
			found = append(found, term)
		}
	}
	return found.distinct()
}

// repeated reports whether a list names a topology twice.
func (r Request) repeated() bool {
	return len(r.Requisite.distinct()) < len(r.Requisite) || len(r.Preferred.distinct()) < len(r.Preferred)
}

// String returns the request in the specification's words, each topology on a separate line.
func (r Request) String() string {
	text := fmt.Sprintf("%s, %d bytes", r.accessibleFrom(), r.Bytes)
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

func (r Request) accessibleFrom() string {
	switch {
	case r.Everywhere:
		return "accessible from everywhere"
	case r.X == 0:
		return "x is the number in the answer"
	case r.Sharing != "":
		return fmt.Sprintf("x = %d, which share %s", r.X, r.Sharing)
	default:
		return fmt.Sprintf("x = %d", r.X)
	}
}

// of returns the request for a volume that is accessible from x topologies.
func (r Request) of(x int) Request {
	r.X = x
	return r
}
