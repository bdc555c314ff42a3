// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// flaw is a flaw of a request itself, so that INVALID_ARGUMENT is always right.
type flaw struct {
	Reason
	// regretted reports that a driver should not answer with a volume.
	regretted bool
	// malformed reports that a topology of the request is not a topology, so that no other refusal is right.
	malformed bool
}

// flaw returns the first flaw of the request, or the zero flaw if the request is well formed. The known segments come from
// the driver, and not from the request.
func (r Request) flaw(known Set) flaw {
	if r.Empty {
		return flaw{Reason: Reason{"TR-03", "a TopologyRequirement has requisite, preferred or both"}}
	}
	for _, term := range r.terms() {
		if len(term) == 0 {
			return flaw{Reason{"GEN-12", "a Topology without segments names nothing"}, true, true}
		}
		if known.Contains(term) {
			continue
		}
		if broken := append(term.BrokenKeys(), term.BrokenValues()...); len(broken) > 0 {
			return flaw{broken[0], true, true}
		}
	}
	outside := func(p Segment) bool { return !r.Requisite.containsFold(p) }
	if len(r.Requisite) == 0 || !slices.ContainsFunc(r.Preferred, outside) {
		return flaw{}
	}
	// The specification leaves open whether a topology within a wider one of requisite is in the list (A1).
	beyond := func(p Segment) bool { return !slices.ContainsFunc(r.Requisite, p.meets) }
	return flaw{Reason{"PF-04", "every preferred topology is also in requisite"}, slices.ContainsFunc(r.Preferred, beyond), false}
}
