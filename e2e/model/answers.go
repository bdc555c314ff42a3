// SPDX-License-Identifier: Apache-2.0

package model

import (
	"google.golang.org/grpc/codes"
)

// Answers are the allowed answers to one request in one world.
type Answers struct {
	World World
	Asked Request
	// Existing is the answer that created the volume, if the request repeats the name of an existing one.
	Existing Set
	// Volumes are the sets of segments that an OK answer may list, and Refusals the other allowed codes.
	Volumes  []Volume
	Refusals []Refusal
	// reduced is the world without most of the segments that the request does not distinguish: Volumes lists none of these.
	reduced World
}

// Volume is an OK answer that is allowed.
type Volume struct {
	Segments Set
	// Reasons are the clauses that allow it.
	Reasons []Reason
	// Caveats are the clauses that discourage it, if they are different.
	Caveats []Reason
	// Discouraged is set when a user will regret the answer though no MUST forbids it.
	Discouraged bool
}

// Refusal is a failed answer that is allowed.
type Refusal struct {
	Code codes.Code
	// Reasons are the clauses that allow it, first the one that allows the code.
	Reasons []Reason
	// Discouraged is set when a user will regret the answer though no MUST forbids it.
	Discouraged bool
}

// AnswersTo returns the answers allowed to a request for a volume whose name is new. If the room is unknown, they are listed
// as if there was enough; if x is unknown, as for 1. Of many segments that the request does not distinguish, some represent
// all.
func AnswersTo(r Request, w World) Answers {
	a := Answers{World: w, Asked: r.of(max(r.X, 1)), reduced: w.reduced(r)}
	a.list()
	a.Asked = r
	return a
}

// list adds the allowed volumes and refusals.
func (a *Answers) list() {
	r, known := a.Asked, a.reduced.Segments()
	wrong := r.flaw(known)
	var caveats []Reason
	if wrong.regretted {
		caveats = []Reason{{"GEN-12", "but the request is invalid: " + wrong.Text}}
	}
	possible := a.allowVolumes(r.readings(known), caveats...)
	if !wrong.regretted {
		caveats = []Reason{passedOver()}
	}
	a.allowVolumes(r.looseReadings(known), caveats...)
	a.allowRefusals(possible)
}

// passedOver returns the reason against a volume of a driver that ignores a key of the request.
func passedOver() Reason {
	return Reason{"GEN-12", "but the request has a key that the segment does not have: ignoring it hides a mistake of the CO"}
}

// allowVolumes adds the sets that one of the readings allows and no earlier one did, and returns all that the readings
// allow. With caveats they are discouraged.
func (a *Answers) allowVolumes(readings []reading, caveats ...Reason) []Set {
	var possible []Set
	listed := map[string]bool{}
	for _, volume := range a.Volumes {
		listed[volume.Segments.String()] = true
	}
	for _, rd := range readings {
		for _, set := range rd.best(possibleSets(rd, a.reduced)) {
			possible = append(possible, set)
			if name := set.String(); !listed[name] {
				listed[name] = true
				a.Volumes = append(a.Volumes, Volume{
					Segments: set, Reasons: []Reason{a.Asked.choice(set)}, Caveats: caveats, Discouraged: len(caveats) > 0,
				})
			}
		}
	}
	return possible
}

// possibleSets returns the sets of x segments that obey requisite, have room and can be combined.
func possibleSets(rd reading, w World) []Set {
	var possible []Set
	known := w.Segments()
	for _, set := range choose(w.withRoom(rd.Bytes), rd.X) {
		if !set.apart(rd.Sharing) && contradiction(known, []reading{rd}, set) == (Reason{}) {
			possible = append(possible, set)
		}
	}
	return possible
}

// choice returns the clause that makes the set one of the best answers.
func (r Request) choice(set Set) Reason {
	n := len(r.Requisite.distinct())
	switch {
	case len(r.Preferred) > 0 && (reading{Request: r, meets: Segment.meets}).preferredOnly(set):
		return Reason{"PF-03", "the preferred topologies are used in order, first to last"}
	case len(r.Preferred) > 0 && n > 0:
		return Reason{"PF-05", "as far as no preferred topology is possible, another one of requisite is chosen"}
	case len(r.Preferred) > 0:
		return Reason{"PF-06", "as far as no preferred topology is possible, any possible one is chosen"}
	case n == 0:
		return Reason{"CV-23", "without a TopologyRequirement the driver chooses"}
	case r.X == n:
		return Reason{"TR-07", "x = n: the volume is available in all requisite topologies"}
	case r.X < n:
		return Reason{"TR-11", "x < n: x unique topologies of requisite"}
	default:
		return Reason{"TR-15", "x > n: all requisite topologies and others of all possible ones"}
	}
}
