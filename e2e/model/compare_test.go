// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
)

// named returns the term as a Segment.
func (t term) named() Segment {
	segment := Segment{}
	for key, number := range map[string]int{"region": t.region, "zone": t.zone, "rack": t.rack} {
		if t.upper {
			key = strings.ToUpper(key)
		}
		if number != 0 {
			segment[key] = fmt.Sprint(number)
		}
	}
	return segment
}

func named(terms []term) Set {
	var set Set
	for _, t := range terms {
		set = append(set, t.named())
	}
	return set
}

// listed returns the segments of a bit set.
func listed(set uint) Set {
	var segments Set
	for i, place := range places {
		if set>>i&1 == 1 {
			segments = append(segments, place.named())
		}
	}
	return segments
}

// world returns a world with the question's segments.
func (q question) world() World {
	w := World{Open: q.open}
	for i, place := range places[:q.segments] {
		room := Exactly(1)
		switch {
		case q.full>>i&1 == 1:
			room = Exactly(0)
		case q.untold>>i&1 == 1:
			room = Room{}
		}
		w.Places = append(w.Places, Place{Segment: place.named(), Room: room})
	}
	if q.backwards {
		slices.Reverse(w.Places)
	}
	return w
}

// sharing returns the key that all topologies of a volume share.
func (q question) sharing() string {
	if q.shares {
		return "region"
	}
	return ""
}

// answers returns the answers that the package allows.
func (q question) answers() Answers {
	asked := Request{X: q.x, Sharing: q.sharing(), Bytes: 1, Requisite: named(q.requisite), Preferred: named(q.preferred), Empty: q.empty}
	if q.existing != 0 {
		return AnswersToRepeat(asked, q.world(), listed(q.existing))
	}
	return AnswersTo(asked, q.world())
}

// compare compares the grade of every possible answer to the question with the reading on bit sets.
func compare(t *testing.T, q question) {
	t.Helper()
	a := q.answers()
	compareVolumes(t, q, a)
	compareRegions(t, q, a)
	compareNoVolumes(t, q, a)
	compareLists(t, q, a)
}

func compareVolumes(t *testing.T, q question, a Answers) {
	t.Helper()
	for set := range uint(1) << q.segments {
		answered := listed(set)
		want := q.whereverUntold(set, func(q question) Grade { return q.of(set).volume(set) })
		graded(t, a, Answer{Segments: answered}, want)
		slices.Reverse(answered)
		graded(t, a, Answer{Segments: answered}, want)
		if set == 0 {
			continue
		}
		compareRegion(t, q, a, set)
		// No volume can be accessible from a segment twice, or from one with keys in another case.
		for _, wrong := range []Segment{answered[0], {"REGION": "1", "ZONE": "1"}} {
			graded(t, a, Answer{Segments: append(Set{wrong}, answered...)}, Forbidden)
		}
		compareBeyond(t, q, a, set)
	}
}

// compareBeyond answers with an unknown segment in addition to the set. It may exist, unless all segments are known or the
// request made it up.
func compareBeyond(t *testing.T, q question, a Answers, set uint) {
	t.Helper()
	if q.segments == len(places) {
		return
	}
	next := places[q.segments]
	more := q
	more.segments++
	both := set | 1<<q.segments
	want := Forbidden
	if madeUp := q.asked(func(t term) bool { return t == next }); q.open && q.existing == 0 && !madeUp {
		want = more.whereverUntold(both, func(q question) Grade { return q.of(both).volume(both) })
	}
	graded(t, a, Answer{Segments: append(Set{next.named()}, listed(set)...)}, want)
}

// compareRegion answers with a region in addition to the set.
func compareRegion(t *testing.T, q question, a Answers, set uint) {
	t.Helper()
	region := term{region: 1}
	answered := q.matched(region, false) | set
	want := q.whereverUntold(answered, func(q question) Grade { return q.besideRegion(set) })
	graded(t, a, Answer{Segments: append(Set{region.named()}, listed(set)...)}, want)
}

// compareRegions answers with whole regions.
func compareRegions(t *testing.T, q question, a Answers) {
	t.Helper()
	known := q.regions().known()
	for regions := uint(1); regions < 1<<len(known); regions++ {
		var answered Set
		var stands uint
		for i, region := range known {
			if regions>>i&1 == 1 {
				answered = append(answered, region.named())
				stands |= q.matched(region, false)
			}
		}
		want := q.whereverUntold(stands, func(q question) Grade { return q.asRegions(regions) })
		graded(t, a, Answer{Segments: answered}, want)
	}
}

func compareNoVolumes(t *testing.T, q question, a Answers) {
	t.Helper()
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		want := q.whereverUntold(0, func(q question) Grade { return q.refusalForAnyX(code) })
		graded(t, a, Answer{Code: code}, want)
	}
}

// compareLists compares the lists of allowed answers with the grades, because failures print the lists.
func compareLists(t *testing.T, q question, a Answers) {
	t.Helper()
	q = q.of(1) // as listed
	volumes := 0
	for set := range uint(1) << q.segments {
		if set == 0 || q.existing == 0 && q.apart(set) || q.volume(set) == Forbidden || q.free() && q.existing == 0 && bits.OnesCount(set) != q.x {
			continue
		}
		volumes++
		if !slices.ContainsFunc(a.Volumes, func(v Volume) bool { return v.Segments.Equal(listed(set)) && len(v.Reasons) > 0 }) {
			t.Fatalf("%s\nis not listed as allowed:\n%s", q, listed(set))
		}
	}
	refusals := 0
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		if q.refusal(code) != Forbidden && !q.unlisted(code) {
			refusals++
		}
	}
	if len(a.Volumes) != volumes || len(a.Refusals) != refusals {
		t.Fatalf("%s\nlists\n%s\nwant %d volumes and %d refusals", q, a, volumes, refusals)
	}
}

func graded(t *testing.T, a Answers, got Answer, want Grade) {
	t.Helper()
	finding := a.Judge(got)
	if finding.Grade != want || len(finding.Reasons) == 0 || finding.Reasons[0].Clause == "" {
		t.Fatalf("asked: %s\nworld:\n%s\nexisting: %s\nallowed:\n%s\nthe answer %s is %s, want grade %d", a.Asked, a.World, a.Existing, a, got, finding, want)
	}
}

// String returns the question in words.
func (q question) String() string {
	a := q.answers()
	return fmt.Sprintf("asked: %s\nworld:\n%s\nexisting: %s", a.Asked, a.World, a.Existing)
}
