// SPDX-License-Identifier: Apache-2.0

package model

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
)

func TestJudgeNamesTheClause(t *testing.T) {
	const all = "Z2 Z3 Z4 Z5"
	ok := func(names string) Answer { return Answer{Code: codes.OK, Segments: zones(names)} }
	refused := func(code codes.Code) Answer { return Answer{Code: code, Message: "no"} }
	for _, c := range []struct {
		name, full           string
		x                    int
		requisite, preferred string
		got                  Answer
		grade                Grade
		clause               string
	}{
		{"as asked", "", 1, "Z2", "", ok("Z2"), Allowed, "TR-07"},
		{"order of the segments does not matter", "", 2, "Z2 Z3", "", ok("Z3 Z2"), Allowed, "TR-07"},
		{"no topology at all", "", 1, "Z2", "", ok(""), Discouraged, "VOL-17"},
		{"requisite ignored", "", 1, "Z3", "", ok("Z2"), Forbidden, "TR-04"},
		{"one of two left out", "", 2, "Z2 Z3", "", ok("Z2"), Forbidden, "TR-07"},
		{"one of two replaced", "", 2, "Z2 Z3", "", ok("Z2 Z4"), Forbidden, "TR-07"},
		{"one too many at x = n", "", 1, "Z2", "", ok("Z2 Z3"), Forbidden, "TR-07"},
		{"all of them at x < n", "", 1, "Z2 Z3", "", ok("Z2 Z3"), Forbidden, "TR-11"},
		{"partly outside at x < n", "", 2, "Z2 Z3 Z4", "", ok("Z2 Z5"), Forbidden, "TR-11"},
		{"the same one twice", "", 2, "Z2 Z3 Z4", "", ok("Z2 Z2"), Forbidden, "TR-11"},
		{"only n of x", "", 2, "Z2", "", ok("Z2"), Forbidden, "TR-17"},
		{"requisite left out at x > n", "", 3, "Z2 Z3", "", ok("Z2 Z4 Z5"), Forbidden, "TR-15"},
		{"a zone that no node reports", "", 2, "Z2", "", ok("Z2 Z9"), Forbidden, "TR-16"},
		{"a region for a zone", "", 1, "", "Z2", Answer{Segments: Set{{"region": "R1"}}}, Discouraged, "VOL-19"},
		{"outside requisite when it is full", "Z2", 1, "Z2", "", ok("Z3"), Forbidden, "TR-04"},
		{"in a full zone", "Z2", 1, "Z2", "", ok("Z2"), Forbidden, "TR-08"},
		{"in a full zone, x < n", "Z2 Z3", 1, "Z2 Z3", "", ok("Z2"), Forbidden, "TR-12"},
		{"in a full zone, x > n", "Z3 Z4 Z5", 2, "Z2", "", ok("Z2 Z3"), Forbidden, "TR-17"},
		{"in a full zone, preferred", all, 1, all, "Z4 Z2", ok("Z4"), Forbidden, "PF-07"},
		{"order of preferred ignored", "", 1, all, "Z4 Z2", ok("Z2"), Forbidden, "PF-03"},
		{"preferred ignored", "", 2, all, "Z5 Z3", ok("Z2 Z4"), Forbidden, "PF-03"},
		{"half of preferred ignored", "", 2, all, "Z5 Z3", ok("Z5 Z4"), Forbidden, "PF-03"},
		{"no fallback within preferred", "Z4", 1, all, "Z4 Z2", refused(codes.ResourceExhausted), Forbidden, "PF-03"},
		{"no fallback to requisite", "Z4 Z2", 1, all, "Z4 Z2", refused(codes.ResourceExhausted), Discouraged, "PF-05"},
		{"no fallback to anywhere", "Z4 Z2", 1, "", "Z4 Z2", refused(codes.ResourceExhausted), Discouraged, "PF-06"},
		{"two of the preferred-only at x = 1", "", 1, "", "Z4 Z2", ok("Z4 Z2"), Forbidden, "PF-03"},
		{"refused though possible", "", 1, "Z2", "", refused(codes.ResourceExhausted), Forbidden, "TR-07"},
		{"INTERNAL when full", "Z2", 1, "Z2", "", refused(codes.Internal), Forbidden, "CREATE-02"},
		{"INVALID_ARGUMENT when full", "Z2", 1, "Z2", "", refused(codes.InvalidArgument), Forbidden, "CREATE-02"},
		{"anywhere when nothing is asked", "", 1, "", "", ok("Z5"), Allowed, "CV-23"},
		{"from two zones when nothing is asked", "", 1, "", "", ok("Z5 Z2"), Allowed, "CV-23"},
		{"nowhere when nothing is asked", "", 1, "", "", ok(""), Discouraged, "VOL-17"},
		{"preferred outside requisite used", "", 1, "Z2", "Z3", ok("Z3"), Forbidden, "TR-04"},
		{"preferred outside requisite passed over", "", 1, "Z2", "Z3", ok("Z2"), Discouraged, "GEN-12"},
		{"unknown zone answered with another", "", 1, "Z9", "", ok("Z2"), Forbidden, "TR-04"},
		{"full, and no topology was asked for", all, 1, "", "", refused(codes.Internal), Discouraged, "CREATE-08"},
		{"full, and the code has a row of its own", all, 1, "", "", refused(codes.NotFound), Forbidden, "CREATE-02"},
		{"unknown zone", "", 1, "Z9", "", refused(codes.ResourceExhausted), Allowed, "CREATE-08"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := Request{X: c.x, Bytes: size, Requisite: zones(c.requisite), Preferred: zones(c.preferred)}
			finding := AnswersTo(asked, world(c.full)).Judge(c.got)
			if finding.Grade != c.grade || !strings.Contains(finding.String(), "("+c.clause+")") {
				t.Errorf("%s, full: %q\ngot  %s\nfound %s\nwant grade %d by %s", asked, c.full, c.got, finding, c.grade, c.clause)
			}
		})
	}
}

func TestJudgeRepeat(t *testing.T) {
	asked := Request{X: 1, Bytes: size, Requisite: zones("Z2 Z3")}
	for _, c := range []struct {
		name     string
		existing string
		got      Answer
		grade    Grade
		clause   string
	}{
		{"the same segment", "Z2", Answer{Segments: zones("Z2")}, Allowed, "CV-03"},
		{"another segment of requisite", "Z2", Answer{Segments: zones("Z3")}, Forbidden, "CV-03"},
		{"refused", "Z2", Answer{Code: codes.AlreadyExists}, Forbidden, "CV-03"},
		{"incompatible", "Z4", Answer{Code: codes.AlreadyExists}, Allowed, "CREATE-06"},
		{"incompatible and answered all the same", "Z4", Answer{Segments: zones("Z4")}, Forbidden, "CREATE-06"},
		{"incompatible and another code", "Z4", Answer{Code: codes.ResourceExhausted}, Forbidden, "CREATE-06"},
	} {
		t.Run(c.name, func(t *testing.T) {
			finding := AnswersToRepeat(asked, world(""), zones(c.existing)).Judge(c.got)
			if finding.Grade != c.grade || !strings.Contains(finding.String(), c.clause) {
				t.Errorf("found %s, want grade %d by %s", finding, c.grade, c.clause)
			}
		})
	}
}

func TestCodeName(t *testing.T) {
	for code, want := range map[codes.Code]string{
		codes.OK: "OK", codes.ResourceExhausted: "RESOURCE_EXHAUSTED", codes.InvalidArgument: "INVALID_ARGUMENT", codes.NotFound: "NOT_FOUND",
	} {
		if got := CodeName(code); got != want {
			t.Errorf("CodeName(%d) = %s, want %s", code, got, want)
		}
	}
}
