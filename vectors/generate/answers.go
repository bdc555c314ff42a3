// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"slices"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/vectors"
)

// judge lets the oracle judge every answer that a driver may give, and records the answers that are not forbidden, with
// their clauses.
func (b *builder) judge(q question, v *vectors.Vector) {
	answers := q.answers()
	var allowed, discouraged []string // clauses
	note := func(got model.Answer, add func(to *vectors.Answers)) {
		switch finding := answers.Judge(got); finding.Grade {
		case model.Allowed:
			add(&v.Allowed)
			allowed = append(allowed, finding.Reasons[0].Clause)
		case model.Discouraged:
			add(&v.Discouraged)
			discouraged = append(discouraged, finding.Reasons[0].Clause)
		case model.Forbidden, model.Unknown:
		}
	}
	for _, topologies := range q.candidates() {
		note(model.Answer{Code: codes.OK, Segments: topologies}, func(to *vectors.Answers) {
			to.Volumes = append(to.Volumes, append([]string{}, b.named(topologies)...))
		})
	}
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		note(model.Answer{Code: code}, func(to *vectors.Answers) { to.Codes = append(to.Codes, nameOfCode(code)) })
	}
	if v.Clauses = allowed; len(allowed) == 0 {
		v.Clauses = discouraged
	}
	slices.Sort(v.Clauses)
	v.Clauses = slices.Compact(v.Clauses)
}

// nameOfCode returns the name of the code in gRPC and the specification.
func nameOfCode(code codes.Code) string {
	if code == codes.Canceled {
		return "CANCELLED" // which Go writes with one L
	}
	return model.CodeName(code)
}

// candidates returns the topologies of every possible volume: sets of segments, and sets that contain a topology with one of
// several keys, if it matches several segments. A topology that matches one segment means that segment.
func (q question) candidates() []model.Set {
	sets := subsets(q.segments, len(q.segments))
	wide := q.wide()
	if q.free() {
		return append(sets, subsets(wide, len(wide))[1:]...)
	}
	const most = 3
	for _, set := range subsets(slices.Concat(q.segments, wide), most) {
		if slices.ContainsFunc(set, wide.Contains) {
			sets = append(sets, set)
		}
	}
	return sets
}

// wide returns the topologies with one of several keys that match several segments.
func (q question) wide() model.Set {
	var found model.Set
	for _, segment := range q.segments {
		for _, key := range []string{"region", "zone"} {
			topology := model.Segment{key: segment[key]}
			others := func(other model.Segment) bool { return !other.Equal(segment) && other.Matches(topology) }
			if segment[key] != "" && slices.ContainsFunc(q.segments, others) && !found.Contains(topology) {
				found = append(found, topology)
			}
		}
	}
	return found
}

// subsets returns the subsets with at most the given number of topologies: the empty one first, and small ones before
// large ones.
func subsets(of model.Set, most int) []model.Set {
	var sets []model.Set
	for mask := range uint(1) << len(of) {
		var set model.Set
		for i, topology := range of {
			if mask>>i&1 == 1 {
				set = append(set, topology)
			}
		}
		if len(set) <= most {
			sets = append(sets, set)
		}
	}
	slices.SortStableFunc(sets, func(a, b model.Set) int { return cmp.Compare(len(a), len(b)) })
	return sets
}
