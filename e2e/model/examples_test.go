// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
)

const size = 100

// zones returns segments of region R1 by the names of their zones, space separated.
func zones(names string) Set {
	var set Set
	for _, name := range strings.Fields(names) {
		set = append(set, Segment{"region": "R1", "zone": name})
	}
	return set
}

// world returns a world of Z2 to Z5, where the named zones are full.
func world(full string) World {
	var w World
	for _, segment := range zones("Z2 Z3 Z4 Z5") {
		room := Exactly(size)
		if zones(full).Contains(segment) {
			room = Exactly(size - 1)
		}
		w = w.With(segment, room)
	}
	return w
}

// answers returns the allowed answers in a short form: zones joined by +, or the code, with ! if discouraged.
func answers(a Answers) []string {
	var short []string
	mark := func(name string, discouraged bool) {
		if discouraged {
			name += "!"
		}
		short = append(short, name)
	}
	for _, volume := range a.Volumes {
		var names []string
		for _, segment := range volume.Segments {
			names = append(names, segment["zone"])
		}
		slices.Sort(names)
		mark(strings.Join(names, "+"), volume.Discouraged)
	}
	for _, refusal := range a.Refusals {
		mark(CodeName(refusal.Code), refusal.Discouraged)
	}
	return short
}

func TestEveryExampleOfTheSpecification(t *testing.T) {
	const all = "Z2 Z3 Z4 Z5"
	for _, c := range []struct {
		name, full           string
		x                    int
		requisite, preferred string
		want                 string
	}{
		{"T-EQ-1", "", 1, "Z2", "", "Z2"},
		{"T-EQ-1F", "Z2", 1, "Z2", "", "RESOURCE_EXHAUSTED"},
		{"T-EQ-2", "", 2, "Z2 Z3", "", "Z2+Z3"},
		{"T-EQ-2F", "Z3", 2, "Z2 Z3", "", "RESOURCE_EXHAUSTED"},
		{"T-LT-1", "", 1, "Z2 Z3", "", "Z2 Z3"},
		{"T-LT-1F one full", "Z2", 1, "Z2 Z3", "", "Z3 RESOURCE_EXHAUSTED!"},
		{"T-LT-1F both full", "Z2 Z3", 1, "Z2 Z3", "", "RESOURCE_EXHAUSTED"},
		{"T-LT-2", "", 2, "Z2 Z3 Z4", "", "Z2+Z3 Z2+Z4 Z3+Z4"},
		{"T-LT-2F", "Z2 Z3", 2, "Z2 Z3 Z4", "", "RESOURCE_EXHAUSTED"},
		{"T-GT-1", "", 2, "Z2", "", "Z2+Z3 Z2+Z4 Z2+Z5 INVALID_ARGUMENT! RESOURCE_EXHAUSTED!"},
		{"T-GT-1F", "Z3 Z4 Z5", 2, "Z2", "", "INVALID_ARGUMENT! RESOURCE_EXHAUSTED"},
		{"T-PF-1a", "", 1, "Z2 Z3", "Z3", "Z3"},
		{"T-PF-1b", "Z3", 1, "Z2 Z3", "Z3", "Z2 RESOURCE_EXHAUSTED!"},
		{"T-PF-2a", "", 1, all, "Z4 Z2", "Z4"},
		{"T-PF-2b", "Z4", 1, all, "Z4 Z2", "Z2"},
		{"T-PF-2c", "Z4 Z2", 1, all, "Z4 Z2", "Z3 Z5 RESOURCE_EXHAUSTED!"},
		{"T-PF-2d", all, 1, all, "Z4 Z2", "RESOURCE_EXHAUSTED"},
		{"T-PF-3a", "", 2, all, "Z5 Z3", "Z3+Z5"},
		{"T-PF-3b", "Z3", 2, all, "Z5 Z3", "Z2+Z5 Z4+Z5 RESOURCE_EXHAUSTED!"},
		{"T-PF-3c", "Z5", 2, all, "Z5 Z3", "Z2+Z3 Z3+Z4 RESOURCE_EXHAUSTED!"},
		{"T-PF-3d", "Z5 Z3", 2, all, "Z5 Z3", "Z2+Z4 RESOURCE_EXHAUSTED!"},
		{"T-PF-3e", "Z5 Z3 Z2", 2, all, "Z5 Z3", "RESOURCE_EXHAUSTED"},
		{"T-PO-1", "", 1, "", "Z4 Z2", "Z4"},
		{"T-PO-2", "Z4 Z2", 1, "", "Z4 Z2", "Z3 Z5 RESOURCE_EXHAUSTED!"},
		{"T-NR", "", 1, "", "", "Z2 Z3 Z4 Z5"},
		{"T-BAD-1", "", 1, "Z2", "Z3", "Z2! INVALID_ARGUMENT"},
		{"T-BAD-3", "", 1, "Z9", "", "INVALID_ARGUMENT RESOURCE_EXHAUSTED"},
		{"a known and an unknown zone", "", 1, "Z2 Z9", "", "Z2 INVALID_ARGUMENT! RESOURCE_EXHAUSTED!"},
		{"preferred as Kubernetes sends it", "Z4", 2, all, "Z4 Z5 Z2 Z3", "Z2+Z5"},
		{"x > n with preferred", "Z4", 2, "Z2", "Z2", "Z2+Z3 Z2+Z5 INVALID_ARGUMENT! RESOURCE_EXHAUSTED!"},
		{"requisite that repeats a zone counts it once", "", 1, "Z2 Z2", "", "Z2 INVALID_ARGUMENT!"},
		{"more zones than there are", "", 5, "Z2", "", "INVALID_ARGUMENT! RESOURCE_EXHAUSTED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := Request{X: c.x, Bytes: size, Requisite: zones(c.requisite), Preferred: zones(c.preferred)}
			got := AnswersTo(given, world(c.full))
			if want := strings.Fields(c.want); !slices.Equal(answers(got), want) {
				t.Errorf("%s, full: %q\ngot  %v\nwant %v", given, c.full, answers(got), want)
			}
		})
	}
}

func TestEmptyRequirement(t *testing.T) { // T-BAD-2
	got := answers(AnswersTo(Request{X: 1, Bytes: size, Empty: true}, world("")))
	if want := strings.Fields("Z2 Z3 Z4 Z5 INVALID_ARGUMENT"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRepeatedName(t *testing.T) {
	for _, c := range []struct{ name, existing, requisite, want string }{
		{"T-ID-1 the same topology", "Z2", "Z2", "Z2"},
		{"T-ID-1 a wider one", "Z2", "Z2 Z3", "Z2"},
		{"T-ID-2 another one", "Z2", "Z3", "ALREADY_EXISTS"},
		{"two zones, asked for one of them", "Z2 Z3", "Z2", "Z2+Z3"},
		{"two zones, asked for another pair", "Z2 Z3", "Z3 Z4", "Z2+Z3! ALREADY_EXISTS"},
		{"no requirement any more", "Z2", "", "Z2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			existing := zones(c.existing)
			asked := Request{X: len(existing), Bytes: size, Requisite: zones(c.requisite)}
			if got := answers(AnswersToRepeat(asked, world(""), existing)); !slices.Equal(got, strings.Fields(c.want)) {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
}

func TestAFullZoneDoesNotMatterToARepeat(t *testing.T) {
	a := AnswersToRepeat(Request{X: 1, Bytes: size, Requisite: zones("Z2")}, world("Z2"), zones("Z2"))
	if got := a.Judge(Answer{Code: codes.OK, Segments: zones("Z2")}); got.Grade != Allowed {
		t.Errorf("got %s", got)
	}
}
