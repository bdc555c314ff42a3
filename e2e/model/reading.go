// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// reading is one interpretation of the topologies of a request, if the specification allows several.
type reading struct {
	Request
	// meets reports whether a volume in the segment is accessible from the topology that the term names.
	meets func(segment, term Segment) bool
	// each reports that every segment that meets a term counts separately, not the term (A8).
	each bool
}

// readings returns the interpretations of the request. They differ only if a topology has other keys than the segments: such
// a topology counts as one, or as each of the segments that meet it.
func (r Request) readings(known Set) []reading {
	return r.readingsBy(known, Segment.meets)
}

// looseReadings returns the readings of a driver that ignores keys that its segments do not have; none if the request has no
// such key.
func (r Request) looseReadings(known Set) []reading {
	for _, term := range r.terms() {
		for _, segment := range known {
			if segment.meetsLoosely(term) && !segment.meets(term) {
				return r.readingsBy(known, Segment.meetsLoosely)
			}
		}
	}
	return nil
}

func (r Request) readingsBy(known Set, meets func(segment, term Segment) bool) []reading {
	terms := reading{Request: r, meets: meets}
	terms.Requisite = r.Requisite.distinct()
	segments := reading{Request: r, meets: meets, each: true}
	segments.Requisite = nil
	for _, term := range terms.Requisite {
		found := slices.DeleteFunc(slices.Clone(known), func(segment Segment) bool { return !meets(segment, term) })
		if len(found) == 0 {
			found = Set{term}
		}
		segments.Requisite = append(segments.Requisite, found...).distinct()
	}
	return []reading{terms, segments}
}

// terms returns all topologies of the request.
func (r Request) terms() Set {
	return slices.Concat(r.Requisite, r.Preferred)
}

// serves reports whether a segment of the set meets the term.
func (rd reading) serves(set Set, term Segment) bool {
	return slices.ContainsFunc(set, func(segment Segment) bool { return rd.meets(segment, term) })
}

// within reports whether the segment meets a term of requisite.
func (rd reading) within(segment Segment) bool {
	return slices.ContainsFunc(rd.Requisite, func(term Segment) bool { return rd.meets(segment, term) })
}

// preferredOnly reports whether every segment of the set is a preferred one.
func (rd reading) preferredOnly(set Set) bool {
	for _, segment := range set {
		if !slices.ContainsFunc(rd.Preferred, func(term Segment) bool { return rd.meets(segment, term) }) {
			return false
		}
	}
	return true
}
