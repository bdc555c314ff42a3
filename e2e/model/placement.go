package model

import "fmt"

// contradiction is the first clause on placement that an answered set breaks, order of preference and room aside; the
// zero Reason when it breaks none.
func contradiction(known Set, r Request, answered Set) Reason {
	if len(answered) == 0 {
		return Reason{"TR-06", "a volume is accessible from at least one topology (x >= 1), and its answer lists them"}
	}
	for _, segment := range answered {
		if !known.Contains(segment) {
			return Reason{"TR-16", fmt.Sprintf("%s is not one of all possible topologies: no node reports it", segment)}
		}
	}
	if len(answered.distinct()) < len(answered) {
		return Reason{"TR-11", "the topologies are x unique ones"}
	}
	if r.Free() {
		// CV-23: the driver chooses where, and so from how many segments.
		return Reason{}
	}
	if broken := requisiteContradiction(r, answered); broken != (Reason{}) {
		return broken
	}
	return countContradiction(r, answered)
}

// requisiteContradiction is the rule of x and n that an answered set breaks.
func requisiteContradiction(r Request, answered Set) Reason {
	requisite := r.Requisite.distinct()
	n := len(requisite)
	if n == 0 {
		return Reason{}
	}
	within := 0
	for _, segment := range answered {
		if requisite.covers(segment) {
			within++
		}
	}
	if within == 0 {
		return Reason{"TR-04", "the volume is accessible from at least one requisite topology"}
	}
	if r.X < n {
		if within < len(answered) {
			return Reason{"TR-11", "x < n: the x topologies are chosen from requisite"}
		}
		return Reason{}
	}
	for _, term := range requisite {
		if answered.matching(term) {
			continue
		}
		if r.X == n {
			return Reason{"TR-07", fmt.Sprintf("x = n: the volume is available in all requisite topologies, %s among them", term)}
		}
		return Reason{"TR-15", fmt.Sprintf("x > n: all requisite topologies are included, %s among them", term)}
	}
	return Reason{}
}

// countContradiction is the rule that an answered set of another size than x breaks.
func countContradiction(r Request, answered Set) Reason {
	if len(answered) == r.X {
		return Reason{}
	}
	wanted := fmt.Sprintf("the volume is accessible from x = %d topologies, not from %d", r.X, len(answered))
	switch n := len(r.Requisite.distinct()); {
	case n == 0:
		return Reason{"PF-03", wanted}
	case r.X < n:
		return Reason{"TR-11", "x < n: " + wanted}
	case r.X == n:
		return Reason{"TR-07", "x = n: " + wanted}
	default:
		return Reason{"TR-16", "x > n: " + wanted}
	}
}

// covers reports whether a term of the set is matched by segment.
func (s Set) covers(segment Segment) bool {
	for _, term := range s {
		if segment.Matches(term) {
			return true
		}
	}
	return false
}
