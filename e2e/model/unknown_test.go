// SPDX-License-Identifier: Apache-2.0

package model

import (
	"testing"

	"google.golang.org/grpc/codes"
)

// TestJudgeOnlyWhatIsKnown checks the grades of correct drivers that are known less well than one with measured room,
// separate pools, a number of topologies from the profile and an endpoint in every segment.
func TestJudgeOnlyWhatIsKnown(t *testing.T) {
	untold := World{}
	for _, segment := range zones("Z2 Z3 Z4 Z5") {
		untold = untold.With(segment, Room{})
	}
	open := World{Open: true}.With(zones("Z2")[0], Exactly(size))
	mixed := World{} // of nodes that report their operating system, too
	for _, segment := range zones("Z2 Z2 Z3") {
		os := "linux"
		if mixed.Segments().meeting(segment) != nil {
			os = "windows"
		}
		mixed = mixed.With(Segment{"region": segment["region"], "zone": segment["zone"], "os": os}, Room{})
	}
	linux := func(zone string) Segment { return Segment{"region": "R1", "zone": zone, "os": "linux"} }
	roomy := mixed
	for _, segment := range mixed.Segments() {
		roomy = roomy.With(segment, Exactly(size))
	}
	ok := func(segments ...Segment) Answer { return Answer{Code: codes.OK, Segments: segments} }
	exhausted := Answer{Code: codes.ResourceExhausted, Message: "the zone is out of stock"}
	one, undeclared, everywhere := Request{X: 1, Bytes: size}, Request{Bytes: size}, Request{Everywhere: true, Bytes: size}
	all := zones("Z2 Z3 Z4 Z5")

	for _, c := range []struct {
		name   string
		asked  Request
		world  World
		got    Answer
		grade  Grade
		clause string
	}{
		{"out of stock, and room is not told", one.Within(all[0]), untold, exhausted, Unknown, "TR-07"},
		{"a code that is wrong with room and without, which is not told", one.Within(all[0]), untold, Answer{Code: codes.Unknown}, Forbidden, "CREATE-02"},
		{"a code that is wrong with room, which another zone has", one.Within(all[0]), untold.With(all[0], Exactly(size)), Answer{Code: codes.Unknown}, Forbidden, "TR-07"},
		{"a region for a requisite zone that is named with it", one.Within(all[0]), world(""), ok(Segment{"region": "R1"}), Discouraged, "VOL-19"},
		{"a region for a requisite zone that is named alone", one.Within(Segment{"zone": "Z2"}), world(""), ok(Segment{"region": "R1"}), Discouraged, "VOL-19"},
		{"fallback from a preferred zone that is out of stock, and room is not told", one.Within(all...).Preferring(all[1], all[0]), untold, ok(all[0]), Unknown, "PF-03"},
		{"no topology of a volume that may be accessible from everywhere", one.Within(all[0]), world(""), ok(), Discouraged, "VOL-17"},
		{"no topology of a volume that is accessible from everywhere", everywhere.Within(all[0]), world(""), ok(), Allowed, "VOL-17"},
		{"no topology of one, and nothing is asked", everywhere, world(""), ok(), Allowed, "VOL-17"},
		{"no topology of one, and the request is invalid", everywhere.Within(Segment{}), world(""), ok(), Discouraged, "GEN-12"},
		{"all topologies of one", everywhere.Within(all[0]), world(""), ok(all...), Allowed, "TR-15"},
		{"all topologies of one, in the words of the region", everywhere.Within(all[0]), world(""), ok(Segment{"region": "R1"}), Allowed, "TR-15"},
		{"all topologies of one, beside a requisite one that does not exist", everywhere.Within(zones("Z9")[0], all[1]), world(""), ok(all...), Allowed, "TR-15"},
		{"one of the topologies of one, which is not that of requisite", everywhere.Within(all[0]), world(""), ok(all[1]), Forbidden, "TR-04"},
		{"a topology that does not exist beside all others", everywhere.Within(all[0]), world(""), ok(append(zones("Z9"), all...)...), Forbidden, "TR-16"},
		{"three zones of a data store, and nobody says how many", undeclared.Within(all[0]), world(""), ok(all[:3]...), Allowed, "TR-15"},
		{"three zones without that of requisite", undeclared.Within(all[0]), world(""), ok(all[1:]...), Forbidden, "TR-04"},
		{"three zones of which one is in requisite, and nobody says how many", undeclared.Within(all[:2]...), world(""), ok(all[1:]...), Forbidden, "TR-15"},
		{"the zone only, of nodes with an operating system, x = n", one.Within(linux("Z2")), mixed, ok(all[0]), Discouraged, "VOL-19"},
		{"the zone only, of nodes with an operating system, x < n", one.Within(linux("Z2"), linux("Z3")), mixed, ok(all[0]), Discouraged, "VOL-19"},
		{"another zone only, of nodes with an operating system", one.Within(linux("Z2")), mixed, ok(all[1]), Forbidden, "TR-04"},
		{"a volume of two zones where one has room, of nodes with an operating system", Request{X: 2, Bytes: size}.Within(linux("Z2")), roomy.With(linux("Z3"), NoneFor(size)), exhausted, Discouraged, "TR-16"},
		{"the same where volumes are known to have zones only", Request{X: 2, Bytes: size}.Within(linux("Z2")), roomy.With(linux("Z3"), NoneFor(size)).Seeing(all[:1]), exhausted, Allowed, "CREATE-08"},
		{"refused though two zones have room", Request{X: 2, Bytes: size}.Within(linux("Z2")), roomy.Seeing(all[:1]), exhausted, Discouraged, "TR-16"},
		{"a zone of which no node endpoint was given", one, open, ok(all[3]), Allowed, "CV-23"},
		{"such a zone beside the requisite one", Request{X: 2, Bytes: size}.Within(all[0]), open, ok(all[0], all[3]), Allowed, "TR-15"},
		{"such a zone for the requisite one", one.Within(all[0]), open, ok(all[3]), Forbidden, "TR-04"},
		{"a zone that no node is in, and all are known", one, world(""), ok(zones("Z9")...), Forbidden, "TR-16"},
		{"a key that no known node reports, beside the zone", one.Within(all[0]), open, ok(Segment{"region": "R1", "zone": "Z2", "rack": "1"}), Discouraged, "VOL-19"},
		{"a key that no known node reports, alone", one.Within(all[0]), open, ok(Segment{"rack": "1"}), Discouraged, "VOL-19"},
		{"a key that no node reports, and all are known", one.Within(all[0]), world(""), ok(Segment{"rack": "1"}), Forbidden, "TR-04"},
		{"a volume where less is reported than it has, and more may be there", one.Within(all[0]), untold.With(all[0], AtLeast(0)), ok(all[0]), Allowed, "TR-07"},
		{"the other zone of one pool is full too, and its room is not told", one.Within(all[:2]...), untold.With(all[0], NoneFor(size)), exhausted, Allowed, "CREATE-08"},
	} {
		t.Run(c.name, func(t *testing.T) {
			finding := AnswersTo(c.asked, c.world).Judge(c.got)
			if finding.Grade != c.grade || len(finding.Reasons) == 0 || finding.Reasons[0].Clause != c.clause {
				t.Errorf("%s\ngot  %s\nfound %s\nwant grade %d by %s", c.asked, c.got, finding, c.grade, c.clause)
			}
		})
	}
}

// TestJudgeSaysWhatIsContradictedWithRoom checks that a finding contains the clause of the code, and the clause that a
// refusal contradicts if there is room.
func TestJudgeSaysWhatIsContradictedWithRoom(t *testing.T) {
	all := zones("Z2 Z3")
	untold := World{}.With(all[0], Room{}).With(all[1], Room{})
	finding := AnswersTo(Request{X: 1, Bytes: size}.Within(all...), untold).Judge(Answer{Code: codes.InvalidArgument})
	if len(finding.Reasons) != 1 || finding.Reasons[0].Clause != "CREATE-02" || len(finding.Besides) == 0 || finding.Besides[0].Clause != "TR-11" {
		t.Errorf("found %s, want CREATE-02, and TR-11 beside it", finding)
	}
}

// TestJudgeRepeatOnlyWhatIsKnown is like TestJudgeOnlyWhatIsKnown, for an existing name.
func TestJudgeRepeatOnlyWhatIsKnown(t *testing.T) {
	all := zones("Z2 Z3 Z4 Z5")
	everywhere := Request{Everywhere: true, Bytes: size}
	for _, c := range []struct {
		name     string
		asked    Request
		existing Set
		got      Answer
		grade    Grade
		clause   string
	}{
		{"a volume without topologies, asked for elsewhere", everywhere.Within(all[1]), Set{}, Answer{Segments: Set{}}, Allowed, "CV-03"},
		{"a volume with all topologies, asked for elsewhere", everywhere.Within(all[1]), all, Answer{Segments: all}, Allowed, "CV-03"},
		{"a volume with all topologies, asked for where nothing is", everywhere.Within(zones("Z9")[0], all[1]), all, Answer{Segments: all}, Allowed, "CV-03"},
		{"a volume with some topologies, asked for elsewhere", everywhere.Within(all[1]), all[:1], Answer{Segments: all[:1]}, Forbidden, "CREATE-06"},
		{"a volume of the region, asked for in a zone", Request{Bytes: size}.Within(all[1]), Set{{"region": "R1"}}, Answer{Segments: Set{{"region": "R1"}}}, Allowed, "CV-03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			finding := AnswersToRepeat(c.asked, world(""), c.existing).Judge(c.got)
			if finding.Grade != c.grade || len(finding.Reasons) == 0 || finding.Reasons[0].Clause != c.clause {
				t.Errorf("found %s, want grade %d by %s", finding, c.grade, c.clause)
			}
		})
	}
}
