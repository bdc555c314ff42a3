package model

import "google.golang.org/grpc/codes"

// AnswersToRepeat are the answers allowed when a volume of the same name exists, accessible from the existing set, and
// differs from what is asked in nothing but its topology.
func AnswersToRepeat(r Request, w World, existing Set) Answers {
	a := Answers{World: w, Asked: r, Existing: existing}
	known := w.Segments()
	whole := known.StandingFor(existing)
	wrong := r.flaw(known)
	broken := contradiction(known, r.readings(known), whole)
	compatible := broken == (Reason{})
	if compatible {
		a.Volumes = []Volume{{Segments: existing, Discouraged: wrong.regretted, Reasons: []Reason{
			{"CV-03", "a volume of the same name exists, is accessible from accessibility_requirements and compatible: it is the answer"},
		}}}
	} else {
		incompatible := Reason{"CVE-06", "a volume of the same name exists and is incompatible with accessibility_requirements"}
		a.allow(codes.AlreadyExists, false, incompatible, broken)
	}
	if loose := r.looseReadings(known); !compatible && len(loose) > 0 && contradiction(known, loose, whole) == (Reason{}) {
		a.Volumes = []Volume{{Segments: existing, Discouraged: true, Reasons: []Reason{passedOver()}}}
	}
	a.allowInvalid(wrong, compatible)
	a.allowIncompatible(whole)
	return a
}

// allowIncompatible adds ALREADY_EXISTS where the existing volume may be called incompatible though it is accessible from
// what is asked.
func (a *Answers) allowIncompatible(whole Set) {
	r := a.Asked
	for _, term := range r.unlike(a.World) {
		a.allow(codes.AlreadyExists, true, r.otherwise(term, a.World))
	}
	if len(r.Requisite) == 0 && len(r.Preferred) > 0 && !r.readings(a.World.Segments())[0].preferredOnly(whole) {
		a.allow(codes.AlreadyExists, true, Reason{"CVE-06", "what is only preferred makes no volume incompatible, as another one may be chosen (PF-06)"})
	}
}
