// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"
)

// allow adds an allowed code. If it is allowed for several reasons, the best ones stay.
func (a *Answers) allow(code codes.Code, discouraged bool, reasons ...Reason) {
	for i, refusal := range a.Refusals {
		if refusal.Code != code {
			continue
		}
		if refusal.Discouraged && !discouraged {
			a.Refusals[i] = Refusal{code, reasons, discouraged}
		}
		return
	}
	a.Refusals = append(a.Refusals, Refusal{code, reasons, discouraged})
}

// allowRefusals adds the allowed codes, given the possible volumes. If there are any, a refusal can only be right for a
// driver that interprets the request differently from most.
func (a *Answers) allowRefusals(possible []Set) {
	r := a.Asked
	wrong := r.flaw(a.reduced.Segments())
	a.allowInvalid(wrong, len(possible) > 0)
	switch {
	case len(possible) == 0 && wrong.malformed:
		a.allow(codes.ResourceExhausted, true,
			Reason{"GEN-12", "the request is invalid, and RESOURCE_EXHAUSTED makes a CO try again"}, wrong.Reason)
	case len(possible) == 0:
		a.allow(codes.ResourceExhausted, false,
			Reason{"CREATE-08", "a topology where nothing can be provisioned is RESOURCE_EXHAUSTED"}, r.mustFail())
	case len(r.Requisite.distinct()) < r.X && r.X <= len(r.Requisite):
		a.allow(codes.ResourceExhausted, false,
			Reason{"TR-11", "a topology that requisite repeats may count as often, and there are no x unique ones then"})
	case wrong.Reason == (Reason{}) && r.choosesOthers():
		a.allow(codes.ResourceExhausted, true, r.others())
	case wrong.Reason == (Reason{}) && len(r.Preferred) == 0 && r.X < len(r.Requisite.distinct()) && r.partlyFull(a.reduced):
		a.allow(codes.ResourceExhausted, true,
			Reason{"TR-11", "some of requisite has no room, and the specification does not say that all of it is tried; users will regret a driver that does not try all"})
	case wrong.Reason == (Reason{}) && len(r.Preferred) > 0 && !r.readings(a.reduced.Segments())[0].preferredOnly(possible[0]):
		a.allow(codes.ResourceExhausted, true,
			Reason{r.choice(possible[0]).Clause, "falling back from preferred is a MAY, and users will regret a driver that does not"})
	}
	for _, term := range r.unlike(a.reduced) {
		a.allow(codes.ResourceExhausted, true, r.otherwise(term, a.reduced))
	}
}

// choosesOthers reports whether topologies are to be chosen in addition to all of requisite: x > n.
func (r Request) choosesOthers() bool {
	n := len(r.Requisite.distinct())
	return n > 0 && r.X > n
}

// others returns the reason why a driver that chooses only from requisite should not refuse.
func (r Request) others() Reason {
	return Reason{"TR-16", "x > n: to choose the others is a MAY, and users will regret a driver that does not"}
}

// partlyFull reports whether some topology of requisite has no room.
func (r Request) partlyFull(w World) bool {
	room := w.withRoom(r.Bytes)
	return slices.ContainsFunc(r.Requisite, func(term Segment) bool { return len(room.meeting(term)) == 0 })
}

// allowInvalid adds INVALID_ARGUMENT if a part of the request may be called invalid or unsupported (GEN-12).
func (a *Answers) allowInvalid(wrong flaw, possible bool) {
	r := a.Asked
	if wrong.Reason != (Reason{}) {
		a.allow(codes.InvalidArgument, false, Reason{"GEN-12", "an invalid field is INVALID_ARGUMENT"}, wrong.Reason)
	}
	if ghosts := r.ghosts(a.reduced); len(ghosts) > 0 {
		a.allow(codes.InvalidArgument, possible, Reason{"GEN-12", "an unsupported value is INVALID_ARGUMENT: no node reports " + ghosts.String()})
	}
	if !possible && r.asksApart(a.reduced) {
		a.allow(codes.InvalidArgument, true, Reason{"GEN-12", fmt.Sprintf(
			"topologies that do not share %s may be said to be unsupported together; users will regret a code after which Kubernetes looks for no others", r.Sharing)})
	}
	for _, term := range r.unlike(a.reduced) {
		a.allow(codes.InvalidArgument, true, r.otherwise(term, a.reduced))
	}
	if r.choosesOthers() && a.Existing == nil {
		a.allow(codes.InvalidArgument, true, r.others())
	}
	if r.repeated() {
		a.allow(codes.InvalidArgument, true, Reason{"GEN-12", "a topology that is named twice is not said to be invalid, nor how it counts"})
	}
}

// otherwise returns the reason why a topology that segments meet should not be refused, though it is none of them.
func (r Request) otherwise(term Segment, w World) Reason {
	if w.Segments().containsFold(term) {
		return Reason{"TO-07", "keys are case-insensitive, though many drivers compare them as Kubernetes does: " + term.String()}
	}
	return Reason{"TR-04", "what a topology with fewer keys than the segments stands for is left open, and Kubernetes sends them for allowedTopologies: " + term.String()}
}

// mustFail returns the clause that makes an impossible request fail.
func (r Request) mustFail() Reason {
	n := len(r.Requisite.distinct())
	switch {
	case n == 0:
		return Reason{"CREATE-01", "a volume that cannot be made is a failure"}
	case len(r.Preferred) > 0:
		return Reason{"PF-07", "no requisite topology is possible: CreateVolume fails"}
	case r.X == n:
		return Reason{"TR-08", "x = n, and not all requisite topologies are possible: CreateVolume fails"}
	case r.X < n:
		return Reason{"TR-12", "x < n, and not x requisite topologies are possible: CreateVolume fails"}
	default:
		return Reason{"TR-17", "x > n, and not x topologies with all of requisite are possible: CreateVolume fails"}
	}
}
