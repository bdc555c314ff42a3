// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"

	"google.golang.org/grpc/codes"
)

// refusal returns the grade of an answer with the code.
func (q question) refusal(code codes.Code) Grade {
	switch {
	case code == codes.InvalidArgument:
		return q.invalid()
	case code == codes.AlreadyExists && q.existing != 0:
		return q.alreadyExists()
	case code == codes.ResourceExhausted && q.existing == 0:
		return q.exhausted()
	case code == codes.ResourceExhausted && !q.can():
		q.existing, q.full = 0, q.full|q.untold
		if q.exhausted() == Allowed {
			return Allowed // which is as true as ALREADY_EXISTS
		}
		return Forbidden
	case q.unlisted(code):
		return Discouraged
	default:
		return Forbidden
	}
}

// unlisted reports whether the code may mean that no room is left, if no row has a code for that: for a request without a
// topology.
func (q question) unlisted(code codes.Code) bool {
	rows := []codes.Code{
		codes.InvalidArgument, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied, codes.ResourceExhausted, codes.Aborted,
		codes.OutOfRange, codes.Unimplemented, codes.Unauthenticated,
	}
	return q.existing == 0 && q.free() && !q.empty && !slices.Contains(rows, code) && q.exhausted() == Allowed
}

// unlike reports whether segments match a term that is none of them.
func (q question) unlike(t term) bool {
	return !t.nothing() && q.matched(t, false) != 0 && !slices.Contains(q.known(), t)
}

func repeats(terms []term) bool {
	for i, t := range terms {
		if slices.Contains(terms[:i], t) {
			return true
		}
	}
	return false
}

func (q question) invalid() Grade {
	unknown := q.asked(func(t term) bool { return q.matched(t, false) == 0 })
	empty := q
	empty.full = 0
	together := len(empty.either(false)) > 0
	empty.shares = false
	split := !together && len(empty.either(false)) > 0
	switch outside, _ := q.outside(); {
	case q.empty || outside || q.asked(term.nothing):
		return Allowed
	case unknown && !q.can():
		return Allowed
	case split && !q.can():
		return Discouraged
	case unknown || q.asked(q.unlike) || repeats(q.requisite) || repeats(q.preferred) || q.choosesOthers() && q.existing == 0:
		return Discouraged
	default:
		return Forbidden
	}
}

func (q question) alreadyExists() Grade {
	onlyPreferred := len(q.requisite) == 0 && len(q.preferred) > 0
	switch {
	case !q.can():
		return Allowed
	case q.asked(q.unlike) || onlyPreferred && q.existing&^q.union(q.preferred, false) != 0:
		return Discouraged
	default:
		return Forbidden
	}
}

// choosesOthers reports whether the driver may choose topologies in addition to all of requisite.
func (q question) choosesOthers() bool {
	unlike := map[term]bool{}
	for _, t := range q.requisite {
		unlike[t] = true
	}
	return len(unlike) > 0 && q.x > len(unlike)
}

func (q question) exhausted() Grade {
	unlike := map[term]bool{}
	for _, t := range q.requisite {
		unlike[t] = true
	}
	outside, _ := q.outside()
	flawed := q.empty || outside || q.asked(term.nothing)
	hopeless := func(t term) bool { return q.matched(t, false)&^q.full == 0 }
	untried := len(q.preferred) == 0 && q.x < len(unlike) && slices.ContainsFunc(q.requisite, hopeless)
	preferred := q.union(q.preferred, false)
	fallsBack := len(q.preferred) > 0 && !slices.ContainsFunc(q.either(false), func(set uint) bool { return set&^preferred == 0 })
	switch {
	case !q.can() && q.asked(term.nothing) && !q.empty:
		return Discouraged
	case !q.can():
		return Allowed
	case len(unlike) < q.x && q.x <= len(q.requisite):
		return Allowed
	case !flawed && (fallsBack || untried || q.choosesOthers()) || q.asked(q.unlike):
		return Discouraged
	default:
		return Forbidden
	}
}

// refusalForAnyX is like refusal, if x may be any number.
func (q question) refusalForAnyX(code codes.Code) Grade {
	if q.x != 0 || q.existing != 0 {
		return q.of(0).refusal(code)
	}
	var grades []Grade
	for x := range q.segments {
		q.x = x + 1
		grades = append(grades, q.refusal(code))
	}
	return undecided(grades)
}
