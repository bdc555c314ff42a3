// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"

	"google.golang.org/grpc/codes"
)

// AnswersToRepeat returns the answers allowed when a volume of the same name exists, accessible from the existing set,
// and differs from the request in nothing but its topology.
func AnswersToRepeat(r Request, w World, existing Set) Answers {
	if existing == nil {
		existing = Set{} // accessible from everywhere
	}
	if r.X == 0 {
		r.X = len(existing)
	}
	w, _ = w.Including(existing, nil)
	a := Answers{World: w, Asked: r, Existing: existing, reduced: w}
	known := w.Segments()
	whole := known.StandingFor(existing)
	wrong := r.flaw(known)
	broken := r.incompatibility(w, existing)
	compatible := broken == (Reason{})
	if compatible {
		a.Volumes = []Volume{{Segments: existing, Discouraged: wrong.regretted, Reasons: []Reason{
			{"CV-03", "a volume of the same name exists, is accessible from accessibility_requirements and compatible: it is the answer"},
		}}}
	} else {
		incompatible := Reason{"CREATE-06", "a volume of the same name exists and is incompatible with accessibility_requirements"}
		a.allow(codes.AlreadyExists, false, incompatible, broken)
		a.allowImpossible()
		if len(existing) == r.X && r.reaches(whole) {
			a.Volumes = []Volume{{Segments: existing, Discouraged: true, Reasons: []Reason{incompatible}, Caveats: []Reason{
				{"CV-03", "but a volume that is accessible from one of the requisite topologies may be said to be accessible from accessibility_requirements"},
			}}}
		}
	}
	if loose := r.looseReadings(known); !compatible && len(loose) > 0 && contradiction(known, loose, whole) == (Reason{}) {
		a.Volumes = []Volume{{Segments: existing, Discouraged: true, Reasons: []Reason{passedOver()}}}
	}
	a.allowInvalid(wrong, compatible)
	a.allowIncompatible(whole)
	return a
}

// incompatibility returns the clause that makes the existing volume incompatible with the request, and the zero Reason if it
// is compatible. A volume whose topologies have fewer keys than the segments is accessible from each segment that matches
// one of them, and each topology counts as one or as all of these segments.
func (r Request) incompatibility(w World, existing Set) Reason {
	if len(existing) == 0 {
		return Reason{}
	}
	known := w.Segments()
	whole := known.StandingFor(existing)
	if r.Everywhere && len(known) > 0 && !slices.ContainsFunc(known, func(s Segment) bool { return !whole.Contains(s) }) {
		return Reason{}
	}
	broken := contradiction(known, r.readings(known), whole)
	if keys, alike := existing.sameKeys(); broken != (Reason{}) && alike && !whole.Equal(existing) {
		coarse := w.coarse(keys).Segments()
		if contradiction(coarse, append(r.readings(coarse), r.looseReadings(coarse)...), existing.only(keys)) == (Reason{}) {
			return Reason{}
		}
	}
	return broken
}

// allowImpossible adds RESOURCE_EXHAUSTED if a new volume could not, or perhaps not, be created as requested: if two rows of
// a table hold, neither takes precedence.
func (a *Answers) allowImpossible() {
	worst, _ := a.World.atWorst(a.Asked.Bytes, nil)
	for _, refusal := range AnswersTo(a.Asked, worst).Refusals {
		if refusal.Code == codes.ResourceExhausted && !refusal.Discouraged {
			a.allow(refusal.Code, false, refusal.Reasons...)
		}
	}
}

// reaches reports whether one of the segments meets a topology of requisite.
func (r Request) reaches(segments Set) bool {
	return slices.ContainsFunc(r.Requisite, func(term Segment) bool { return len(segments.meeting(term)) > 0 })
}

// allowIncompatible adds ALREADY_EXISTS if the existing volume may be called incompatible though it is accessible from the
// requested topologies.
func (a *Answers) allowIncompatible(whole Set) {
	r := a.Asked
	for _, term := range r.unlike(a.World) {
		a.allow(codes.AlreadyExists, true, r.otherwise(term, a.World))
	}
	if len(r.Requisite) == 0 && len(r.Preferred) > 0 && !r.readings(a.World.Segments())[0].preferredOnly(whole) {
		a.allow(codes.AlreadyExists, true, Reason{"CREATE-06", "what is only preferred makes no volume incompatible, as another one may be chosen (PF-06)"})
	}
}
