package model

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
)

// named is a term as the package has it.
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

// listed are the segments of a bit set.
func listed(set uint) Set {
	var segments Set
	for i, place := range places {
		if set>>i&1 == 1 {
			segments = append(segments, place.named())
		}
	}
	return segments
}

// world has the question's segments.
func (q question) world() World {
	var w World
	for i, place := range places[:q.segments] {
		w = append(w, Place{Segment: place.named(), Room: int64(1 - q.full>>i&1)})
	}
	if q.backwards {
		slices.Reverse(w)
	}
	return w
}

// answers is what the package allows.
func (q question) answers() Answers {
	asked := Request{X: q.x, Bytes: 1, Requisite: named(q.requisite), Preferred: named(q.preferred), Empty: q.empty}
	if q.existing != 0 {
		return AnswersToRepeat(asked, q.world(), listed(q.existing))
	}
	return AnswersTo(asked, q.world())
}

// compare holds every answer that a driver could give to the question against the reading on bit sets.
func compare(t *testing.T, q question) {
	t.Helper()
	a := q.answers()
	compareVolumes(t, q, a)
	compareNoVolumes(t, q, a)
	compareLists(t, q, a)
}

func compareVolumes(t *testing.T, q question, a Answers) {
	t.Helper()
	for set := range uint(1) << q.segments {
		answered := listed(set)
		graded(t, a, Answer{Segments: answered}, q.volume(set))
		slices.Reverse(answered)
		graded(t, a, Answer{Segments: answered}, q.volume(set))
		if set == 0 {
			continue
		}
		// What no volume can be accessible from: a segment twice, one that is not there, one whose keys are in another case.
		for _, wrong := range []Segment{answered[0], {"region": "8", "zone": "8"}, {"REGION": "1", "ZONE": "1"}} {
			graded(t, a, Answer{Segments: append(Set{wrong}, answered...)}, Forbidden)
		}
		compareRegion(t, q, a, set)
	}
}

// compareRegion answers with a region beside the set: it stands for all of its segments, none of which the set may have.
func compareRegion(t *testing.T, q question, a Answers, set uint) {
	t.Helper()
	region := term{region: 1}
	stands := q.matched(region, false)
	want := Forbidden
	if stands&set == 0 {
		want = min(q.volume(stands|set), Discouraged)
	}
	graded(t, a, Answer{Segments: append(Set{region.named()}, listed(set)...)}, want)
}

func compareNoVolumes(t *testing.T, q question, a Answers) {
	t.Helper()
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		graded(t, a, Answer{Code: code}, q.refusal(code))
	}
}

// compareLists holds what is listed as allowed against what is judged so: failures print the lists.
func compareLists(t *testing.T, q question, a Answers) {
	t.Helper()
	volumes := 0
	for set := range uint(1) << q.segments {
		if q.volume(set) == Forbidden || q.free() && q.existing == 0 && bits.OnesCount(set) != q.x {
			continue
		}
		volumes++
		if !slices.ContainsFunc(a.Volumes, func(v Volume) bool { return v.Segments.Equal(listed(set)) && len(v.Reasons) > 0 }) {
			t.Fatalf("%s\nis not listed as allowed:\n%s", q, listed(set))
		}
	}
	refusals := 0
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		if q.refusal(code) != Forbidden {
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

// String is the question in words.
func (q question) String() string {
	a := q.answers()
	return fmt.Sprintf("asked: %s\nworld:\n%s\nexisting: %s", a.Asked, a.World, a.Existing)
}
