// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"
)

// contradiction returns the first clause on placement that an answered set breaks, apart from order of preference and room;
// the zero Reason if it breaks none. If a request can be read in several ways, it is enough to keep to one.
func contradiction(known Set, readings []reading, answered Set) Reason {
	if broken := notTopologies(known, answered); broken != (Reason{}) {
		if broken.Clause == "TR-16" && len(readings) > 0 && readings[0].missedBy(known, answered) {
			return Reason{"TR-04", broken.Text + ", and the volume is accessible from at least one requisite topology"}
		}
		return broken
	}
	var first Reason
	for i, rd := range readings {
		broken := rd.contradiction(answered)
		if broken == (Reason{}) {
			return Reason{}
		}
		if i == 0 {
			first = broken
		}
	}
	return first
}

// notTopologies returns the clause that an answered set breaks for every request.
func notTopologies(known, answered Set) Reason {
	for _, segment := range answered {
		if known.Contains(segment) {
			continue
		}
		if known.containsKeyFold(segment) {
			return Reason{"TO-08", fmt.Sprintf("%s has a key that differs from the nodes' only in letter case: both must not exist", segment)}
		}
		return Reason{"TR-16", fmt.Sprintf("%s is not one of all possible topologies: no node reports it", segment)}
	}
	if len(answered.distinct()) < len(answered) {
		return Reason{"TR-11", "the topologies are x unique ones"}
	}
	return Reason{}
}

// missedBy reports whether a volume that is accessible from the answered topologies is accessible from no requisite one:
// none of them is known, or named by requisite.
func (rd reading) missedBy(known, answered Set) bool {
	return len(rd.Requisite) > 0 && !slices.ContainsFunc(answered, func(segment Segment) bool {
		return known.Contains(segment) || rd.Requisite.containsFold(segment)
	})
}

func (rd reading) contradiction(answered Set) Reason {
	if rd.Free() {
		// CV-23: the driver chooses where, and so from how many segments.
		return Reason{}
	}
	if broken := rd.requisiteContradiction(answered); broken != (Reason{}) {
		return broken
	}
	return rd.countContradiction(answered)
}

// requisiteContradiction returns the rule of x and n that an answered set breaks.
func (rd reading) requisiteContradiction(answered Set) Reason {
	n := len(rd.Requisite)
	if n == 0 {
		return Reason{}
	}
	within := 0
	for _, segment := range answered {
		if rd.within(segment) {
			within++
		}
	}
	if within == 0 {
		return Reason{"TR-04", "the volume is accessible from at least one requisite topology"}
	}
	if rd.X < n {
		if within < len(answered) {
			return Reason{"TR-11", "x < n: the x topologies are chosen from requisite"}
		}
		return Reason{}
	}
	for _, term := range rd.Requisite {
		if rd.serves(answered, term) {
			continue
		}
		if rd.X == n {
			return Reason{"TR-07", fmt.Sprintf("x = n: the volume is available in all requisite topologies, %s among them", term)}
		}
		return Reason{"TR-15", fmt.Sprintf("x > n: all requisite topologies are included, %s among them", term)}
	}
	return Reason{}
}

// countContradiction returns the rule that an answered set breaks if its size is not x.
func (rd reading) countContradiction(answered Set) Reason {
	if len(answered) == rd.X {
		return Reason{}
	}
	wanted := fmt.Sprintf("the volume is accessible from x = %d topologies, not from %d", rd.X, len(answered))
	switch n := len(rd.Requisite); {
	case n == 0:
		return Reason{"PF-03", wanted}
	case rd.X < n:
		return Reason{"TR-11", "x < n: " + wanted}
	case rd.X == n:
		return Reason{"TR-07", "x = n: " + wanted}
	case len(answered) < rd.X:
		return Reason{"TR-17", "x > n: " + wanted + "; if it is unable to do so, CreateVolume fails"}
	default:
		return Reason{"TR-16", "x > n: " + wanted}
	}
}
