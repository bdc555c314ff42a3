package model

import (
	"google.golang.org/grpc/codes"
)

// Answers are the answers that the specification allows to one request in one world.
type Answers struct {
	World World
	Asked Request
	// Existing is the answer that made the volume, when the request repeats the name of one that exists.
	Existing Set
	// Volumes are the sets of segments that an OK answer may list, and Refusals the other codes that are allowed.
	Volumes  []Volume
	Refusals []Refusal
}

// Volume is an OK answer that is allowed.
type Volume struct {
	Segments Set
	// Reasons are the clauses that allow it.
	Reasons []Reason
	// Discouraged is set when a user will regret the answer though no MUST forbids it.
	Discouraged bool
}

// Refusal is a failed answer that is allowed.
type Refusal struct {
	Code codes.Code
	// Reasons are the clauses that allow it.
	Reasons []Reason
	// Discouraged is set when a user will regret the answer though no MUST forbids it.
	Discouraged bool
}

// AnswersTo are the answers allowed to a request for a volume whose name is new.
func AnswersTo(r Request, w World) Answers {
	possible := possibleSets(r, w)
	a := Answers{World: w, Asked: r}
	malformed := r.malformed()
	for _, set := range best(r.Preferred, possible) {
		volume := Volume{Segments: set, Reasons: []Reason{r.choice(set)}}
		if malformed.Clause == "PF-04" {
			volume.Discouraged = true
			volume.Reasons = append(volume.Reasons, Reason{"GEN-12", "but the request is invalid: " + malformed.Text})
		}
		a.Volumes = append(a.Volumes, volume)
	}
	a.Refusals = r.refusals(w, malformed, a.Volumes)
	return a
}

// AnswersToRepeat are the answers allowed when a volume of the same name exists, accessible from the existing set, and
// differs from what is asked in nothing but its topology.
func AnswersToRepeat(r Request, w World, existing Set) Answers {
	a := Answers{World: w, Asked: r, Existing: existing}
	if broken := contradiction(w.Segments(), r, existing); broken != (Reason{}) {
		a.Refusals = []Refusal{{Code: codes.AlreadyExists, Reasons: []Reason{
			{"CVE-06", "a volume of the same name exists and is incompatible with accessibility_requirements"}, broken,
		}}}
		return a
	}
	a.Volumes = []Volume{{Segments: existing, Reasons: []Reason{
		{"CV-03", "a volume of the same name exists, is accessible from accessibility_requirements and compatible: it is the answer"},
	}}}
	return a
}

// possibleSets are the sets of x segments that obey requisite and have room.
func possibleSets(r Request, w World) []Set {
	var possible []Set
	known := w.Segments()
	for _, set := range choose(w.withRoom(r.Bytes), r.X) {
		if contradiction(known, r, set) == (Reason{}) {
			possible = append(possible, set)
		}
	}
	return possible
}

// choice is the clause by which a set is one of the best that can be answered.
func (r Request) choice(set Set) Reason {
	n := len(r.Requisite.distinct())
	switch {
	case len(r.Preferred) > 0 && r.preferredOnly(set):
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

// preferredOnly reports whether every segment of the set is a preferred one.
func (r Request) preferredOnly(set Set) bool {
	for _, segment := range set {
		if !r.Preferred.covers(segment) {
			return false
		}
	}
	return true
}
