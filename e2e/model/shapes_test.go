// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
)

// terms returns topologies written as "region=R1,zone=Z2", space separated; "{}" is one
// without segments.
func terms(text string) Set {
	var set Set
	for _, field := range strings.Fields(text) {
		term := Segment{}
		for _, pair := range strings.Split(strings.Trim(field, "{}"), ",") {
			if key, value, found := strings.Cut(pair, "="); found {
				term[key] = value
			}
		}
		set = append(set, term)
	}
	return set
}

// worldOf returns a world with the segments, where the ones in full have no room.
func worldOf(segments, full string) World {
	var w World
	for _, segment := range terms(segments) {
		room := Exactly(size)
		if terms(full).Contains(segment) {
			room = NoneFor(size)
		}
		w = w.With(segment, room)
	}
	return w
}

const (
	twoRegions = "r=1,z=2 r=1,z=3 r=2,z=4 r=2,z=5"
	// unequal has a rack in one zone only.
	unequal = "r=1,z=2 r=1,z=2,rack=7 r=1,z=3"
)

func TestTermsThatAreNoSegments(t *testing.T) {
	const refusable = "INVALID_ARGUMENT! RESOURCE_EXHAUSTED!"
	for _, c := range []struct {
		name, world, full    string
		x                    int
		requisite, preferred string
		want                 string
	}{
		{"one key of two", twoRegions, "", 1, "z=4", "", "4 " + refusable},
		{"a region", twoRegions, "r=1,z=2", 1, "r=1", "", "3 " + refusable},
		{"a region for two may be left for the second", twoRegions, "", 2, "r=1", "", "2+3 2+4 2+5 3+4 3+5 " + refusable},
		{"two regions for two, as two topologies or as four", twoRegions, "", 2, "r=1 r=2", "", "2+4 2+5 3+4 3+5 2+3 4+5 " + refusable},
		{"a region and one of its zones", twoRegions, "", 1, "r=1 r=1,z=2", "", "2 3 " + refusable},
		{"a region and one of its zones, for two", twoRegions, "", 2, "r=1 r=1,z=2", "", "2+3 2+4 2+5 " + refusable},
		{"a region that is full", twoRegions, "r=1,z=2 r=1,z=3", 1, "r=1", "", "RESOURCE_EXHAUSTED INVALID_ARGUMENT!"},
		{"a region is preferred", twoRegions, "", 1, "", "r=2", "4 5 " + refusable},
		{"two regions are preferred, one after the other or each once", twoRegions, "", 2, "", "r=2 r=1", "2+4 2+5 3+4 3+5 4+5 " + refusable},
		{"a zone is preferred within a region", twoRegions, "", 1, "r=2", "r=2,z=5", "5 INVALID_ARGUMENT RESOURCE_EXHAUSTED!"},
		{"a region is preferred outside a zone", twoRegions, "", 1, "r=2,z=5", "r=2", "5! INVALID_ARGUMENT RESOURCE_EXHAUSTED!"},
		{"a key that there is not", twoRegions, "", 1, "r=1,z=3,rack=7", "", "3! INVALID_ARGUMENT RESOURCE_EXHAUSTED"},
		{"a key that there is not, beside a known topology", twoRegions, "", 1, "r=1,z=3,rack=7 r=1,z=2", "", "2 3! INVALID_ARGUMENT! RESOURCE_EXHAUSTED!"},
		{"only a key that there is not", twoRegions, "", 1, "rack=7", "", "INVALID_ARGUMENT RESOURCE_EXHAUSTED"},
		{"keys in another letter case", twoRegions, "", 1, "R=1,Z=3", "", "3 " + refusable},
		{"keys in another letter case that are preferred", twoRegions, "", 1, "r=1,z=2 r=1,z=3", "R=1,Z=3", "3 " + refusable},
		{"a value in another letter case is another value", "z=a z=b", "", 1, "z=A", "", "INVALID_ARGUMENT RESOURCE_EXHAUSTED"},
		{"keys that differ in case only", twoRegions, "", 1, "r=1,z=3,Z=3", "", "3! INVALID_ARGUMENT RESOURCE_EXHAUSTED!"},
		{"keys that differ in case, and contradict each other", twoRegions, "", 1, "r=1,z=3,Z=2", "", "INVALID_ARGUMENT RESOURCE_EXHAUSTED!"},
		{"no segments at all", twoRegions, "", 1, "{}", "", "2! 3! 4! 5! INVALID_ARGUMENT"},
		{"no segments at all, beside a known topology", twoRegions, "", 2, "{} r=1,z=3", "", "2+3! 2+4! 2+5! 3+4! 3+5! 4+5! INVALID_ARGUMENT"},
		{"an empty value", twoRegions, "", 1, "r=1,z=", "", "INVALID_ARGUMENT RESOURCE_EXHAUSTED!"},
		{"an empty value beside a known topology", twoRegions, "", 1, "r=1,z= r=1,z=3", "", "3! INVALID_ARGUMENT"},
		{"an empty key", twoRegions, "", 1, "r=1,z=3,=x", "", "3! INVALID_ARGUMENT RESOURCE_EXHAUSTED!"},
		{"a value that is too long", twoRegions, "", 1, "r=1,z=" + strings.Repeat("z", 64), "", "INVALID_ARGUMENT RESOURCE_EXHAUSTED!"},
		{"what the driver reports itself is valid", "r=1,z=_ r=1,z=3", "", 1, "r=1,z=_", "", "_"},
		{"two of the same for two", twoRegions, "", 2, "r=1,z=2 r=1,z=2", "", "2+3 2+4 2+5 INVALID_ARGUMENT! RESOURCE_EXHAUSTED"},
		{"two of the same and another for two", twoRegions, "", 2, "r=1,z=2 r=1,z=2 r=1,z=3", "", "2+3 INVALID_ARGUMENT!"},
		{"two of the same and another for three", twoRegions, "", 3, "r=1,z=2 r=1,z=2 r=1,z=3", "", "2+3+4 2+3+5 INVALID_ARGUMENT! RESOURCE_EXHAUSTED"},
		{"preferred twice", twoRegions, "", 2, twoRegions, "r=2,z=5 r=2,z=5 r=1,z=3", "3+5 INVALID_ARGUMENT!"},
		{"an unknown one beside a known one, both needed", twoRegions, "", 2, "r=1,z=2 r=9,z=9", "", "INVALID_ARGUMENT RESOURCE_EXHAUSTED"},
		{"an unknown one is preferred", twoRegions, "", 1, "", "r=9,z=9 r=1,z=3", "3 INVALID_ARGUMENT!"},
		{"unequal keys, the zone", unequal, "", 1, "r=1,z=2", "", "2 2/7"},
		{"unequal keys, the rack", unequal, "", 1, "r=1,z=2,rack=7", "", "2/7 2!"},
		{"unequal keys, the zone and its rack", unequal, "", 2, "r=1,z=2", "", "2+2/7 2+3 2/7+3 INVALID_ARGUMENT! RESOURCE_EXHAUSTED!"},
		{"unequal keys, the rack is full", unequal, "r=1,z=2,rack=7", 1, "r=1,z=2", "", "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := Request{X: c.x, Bytes: size, Requisite: terms(c.requisite), Preferred: terms(c.preferred)}
			got := inShort(AnswersTo(given, worldOf(c.world, c.full)))
			want := strings.Fields(c.want)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s, full: %q\ngot  %v\nwant %v", given, c.full, got, want)
			}
		})
	}
}

// inShort is like answers, for the keys of this file, with sorted results.
func inShort(a Answers) []string {
	for i, volume := range a.Volumes {
		var named Set
		for _, segment := range volume.Segments {
			name := segment["z"]
			if rack, found := segment["rack"]; found {
				name += "/" + rack
			}
			named = append(named, Segment{"zone": name})
		}
		a.Volumes[i].Segments = named
	}
	short := answers(a)
	slices.Sort(short)
	return short
}

func TestJudgeAnswersThatAreNoSegments(t *testing.T) {
	for _, c := range []struct {
		name, world string
		x           int
		requisite   string
		got         string
		grade       Grade
		clause      string
	}{
		{"a key is left out, and so the volume is said to be in two zones", twoRegions, 1, "r=1,z=2", "r=1", Discouraged, "VOL-19"},
		{"a key is left out, which says the same", twoRegions, 1, "r=1,z=2", "z=2", Allowed, "VOL-19"},
		{"a key is left out, and the zone is another", twoRegions, 1, "r=1,z=2", "z=3", Forbidden, "TR-04"},
		{"a key is left out of what is freely chosen", twoRegions, 1, "", "r=1", Discouraged, "VOL-19"},
		{"a region for a volume of two zones", twoRegions, 2, "r=1,z=2 r=1,z=3", "r=1", Discouraged, "VOL-19"},
		{"a region and one of its zones", twoRegions, 2, "r=1,z=2", "r=1 r=1,z=2", Forbidden, "TR-11"},
		{"the term that was asked for", twoRegions, 1, "r=1", "r=1", Discouraged, "VOL-19"},
		{"a zone that has fewer keys than another one", unequal, 1, "r=1,z=2", "r=1,z=2", Allowed, "TR-07"},
		{"keys in another letter case", twoRegions, 1, "r=1,z=2", "R=1,Z=2", Forbidden, "TO-08"},
		{"keys in another letter case, as asked", twoRegions, 1, "R=1,Z=2", "R=1,Z=2", Forbidden, "TO-08"},
		{"a key that there is not, as asked", twoRegions, 1, "r=1,z=2,rack=7", "r=1,z=2,rack=7", Forbidden, "TR-16"},
		{"a key that there is not is passed over, elsewhere", twoRegions, 1, "r=1,z=2,rack=7", "r=1,z=3", Forbidden, "TR-04"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := Request{X: c.x, Bytes: size, Requisite: terms(c.requisite)}
			finding := AnswersTo(given, worldOf(c.world, "")).Judge(Answer{Segments: terms(c.got)})
			if finding.Grade != c.grade || !strings.Contains(finding.String(), "("+c.clause+")") {
				t.Errorf("%s\ngot  %s\nfound %s\nwant grade %d by %s", given, c.got, finding, c.grade, c.clause)
			}
		})
	}
}

func TestRepeatsThatAreNoSegments(t *testing.T) {
	for _, c := range []struct{ name, existing, requisite, preferred, want string }{
		{"another preference within requisite", "r=1,z=2", "r=1,z=2 r=1,z=3", "r=1,z=3", "2"},
		{"another preference without requisite", "r=1,z=2", "", "r=1,z=3", "2 ALREADY_EXISTS!"},
		{"an unknown topology", "r=1,z=2", "r=9,z=9", "", "ALREADY_EXISTS INVALID_ARGUMENT RESOURCE_EXHAUSTED"},
		{"an unknown topology beside its own", "r=1,z=2", "r=1,z=2 r=9,z=9", "", "2 INVALID_ARGUMENT!"},
		{"its region", "r=1,z=2", "r=1", "", "2 ALREADY_EXISTS! INVALID_ARGUMENT!"},
		{"another region", "r=1,z=2", "r=2", "", "ALREADY_EXISTS INVALID_ARGUMENT!"},
		{"its zone and a rack", "r=1,z=2", "r=1,z=2,rack=7", "", "2! ALREADY_EXISTS INVALID_ARGUMENT RESOURCE_EXHAUSTED"},
		{"preferred outside requisite", "r=1,z=2", "r=1,z=2", "r=1,z=3", "2! INVALID_ARGUMENT"},
		{"its keys in another letter case", "r=1,z=2", "R=1,Z=2", "", "2 ALREADY_EXISTS! INVALID_ARGUMENT!"},
	} {
		t.Run(c.name, func(t *testing.T) {
			existing := terms(c.existing)
			asked := Request{X: len(existing), Bytes: size, Requisite: terms(c.requisite), Preferred: terms(c.preferred)}
			got := inShort(AnswersToRepeat(asked, worldOf(twoRegions, ""), existing))
			want := strings.Fields(c.want)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestAnEmptyRequirementForARepeat(t *testing.T) {
	a := AnswersToRepeat(Request{X: 1, Bytes: size, Empty: true}, worldOf(twoRegions, ""), terms("r=1,z=2"))
	if got, want := inShort(a), []string{"2", "INVALID_ARGUMENT"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestNoOtherCodeForATermThatIsNoSegment checks that INTERNAL is forbidden for terms that drivers may interpret differently:
// the code fits no interpretation.
func TestNoOtherCodeForATermThatIsNoSegment(t *testing.T) {
	for _, requisite := range []string{"r=1", "R=1,Z=2", "r=1,z=2,rack=7", "{}", "r=1,z=", "r=1,z=2 r=1,z=2"} {
		finding := AnswersTo(Request{X: 1, Bytes: size, Requisite: terms(requisite)}, worldOf(twoRegions, "")).Judge(Answer{Code: codes.Internal})
		if finding.Grade != Forbidden {
			t.Errorf("requisite %s: INTERNAL is %s", requisite, finding)
		}
	}
}
