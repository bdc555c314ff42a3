// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrInvalid is returned for a requirement that no driver may satisfy, because
// it contradicts the spec or names a topology that does not exist.
var ErrInvalid = errors.New("invalid accessibility_requirements")

// errUnknown is returned for a topology that matches no known segment.
var errUnknown = errors.New("no node is in")

// Requirement describes the segments that a volume has to be accessible from, in terms of known segments. The zero value,
// and a value without Requisite, allow every known segment.
type Requirement struct {
	// requisite holds the segments that match the topologies of requisite, each once; its length is the spec's n.
	requisite []Segment
	// preferred holds, in order, the segments that match each topology of preferred; a segment is only in the first list
	// that it matches.
	preferred [][]Segment
	// unknown holds the topologies of requisite that match no known segment. They count for n, so that no segment outside of
	// requisite may be chosen.
	unknown []Segment
}

// NewRequirement reads the two lists of a TopologyRequirement against the known segments. A topology that names only some
// keys matches every known segment with these; a repeated topology counts once; one that matches no known segment cannot
// be chosen, as if it were full: its nodes may be about to register. It returns ErrInvalid if both lists are empty
// (TR-03), a preferred topology is not in requisite (PF-04), a topology is malformed, or requisite is given and none of
// it is known.
func NewRequirement(known []Segment, requisite, preferred []map[string]string) (Requirement, error) {
	var r Requirement
	if len(requisite) == 0 && len(preferred) == 0 {
		return r, fmt.Errorf("%w: neither requisite nor preferred is set, and one of them must be", ErrInvalid)
	}
	for i, wanted := range requisite {
		matching, err := resolve(known, wanted)
		if errors.Is(err, errUnknown) {
			r.unknown = append(r.unknown, wanted)
			continue
		}
		if err != nil {
			return r, fmt.Errorf("%w: requisite[%d]: %w", ErrInvalid, i, err)
		}
		r.requisite = append(r.requisite, without(matching, r.requisite)...)
	}
	if len(requisite) > 0 && len(r.requisite) == 0 {
		return r, fmt.Errorf("%w: requisite: %w %s: known are %s", ErrInvalid, errUnknown, names(r.unknown), names(known))
	}
	return r, r.readPreferred(known, preferred)
}

// readPreferred reads the list of preferred topologies.
func (r *Requirement) readPreferred(known []Segment, preferred []map[string]string) error {
	var seen []Segment
	for i, wanted := range preferred {
		matching, err := resolve(known, wanted)
		if errors.Is(err, errUnknown) {
			matching = []Segment{wanted}
		} else if err != nil {
			return fmt.Errorf("%w: preferred[%d]: %w", ErrInvalid, i, err)
		}
		listed := slices.Concat(r.requisite, r.unknown)
		if outside := without(matching, listed); len(listed) > 0 && len(outside) > 0 {
			return fmt.Errorf("%w: preferred[%d] {%s} is not in requisite, as every preferred topology must be: requisite is %s",
				ErrInvalid, i, Segment(wanted), names(listed))
		}
		if err == nil {
			r.preferred = append(r.preferred, without(matching, seen))
			seen = append(seen, matching...)
		}
	}
	return nil
}

// resolve returns the known segments that match a topology of a request.
func resolve(known []Segment, wanted map[string]string) ([]Segment, error) {
	if len(wanted) == 0 {
		return nil, errors.New("the topology has no segments")
	}
	keys := slices.Sorted(maps.Keys(wanted))
	for i, key := range keys {
		for _, other := range keys[i+1:] {
			if strings.EqualFold(key, other) {
				return nil, fmt.Errorf("the keys %q and %q differ only in case", key, other)
			}
		}
	}
	var matching []Segment
	for _, segment := range known {
		if segment.Matches(wanted) {
			matching = append(matching, segment)
		}
	}
	if len(matching) == 0 {
		return nil, errUnknown
	}
	return matching, nil
}

// Met reports whether a volume that is accessible from exactly these segments satisfies the requirement: with x segments
// and n topologies in requisite, from x of requisite if x <= n, and from all n of it if x >= n, which is impossible if
// one of them is unknown.
func (r Requirement) Met(segments []Segment) bool {
	if len(r.requisite) == 0 {
		return true
	}
	inside := len(segments) - len(without(segments, r.requisite))
	if len(r.unknown) > 0 {
		return inside == len(segments)
	}
	return inside == min(len(segments), len(r.requisite))
}

// without returns the segments that are not in others.
func without(segments, others []Segment) []Segment {
	var rest []Segment
	for _, segment := range segments {
		if !slices.ContainsFunc(others, segment.Equal) {
			rest = append(rest, segment)
		}
	}
	return rest
}

func names(segments []Segment) string {
	list := make([]string, 0, len(segments))
	for _, segment := range segments {
		list = append(list, "{"+segment.String()+"}")
	}
	return strings.Join(list, ", ")
}
