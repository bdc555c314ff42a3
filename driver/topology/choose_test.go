// SPDX-License-Identifier: Apache-2.0

package topology_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// zones returns the segments of the given zones in region R1.
func zones(names ...string) []topology.Segment {
	var segments []topology.Segment
	for _, name := range names {
		segments = append(segments, topology.Segment{"x/region": "R1", "x/zone": name})
	}
	return segments
}

// asked returns the segments in the form of the lists of a request.
func asked(segments []topology.Segment) []map[string]string {
	var list []map[string]string
	for _, segment := range segments {
		list = append(list, segment)
	}
	return list
}

// zonesOf is the inverse of zones.
func zonesOf(segments []topology.Segment) string {
	var names []string
	for _, segment := range segments {
		names = append(names, segment["x/zone"])
	}
	return strings.Join(names, " ")
}

const room, size = 100, 10

// freeBut returns a function that returns room for every segment, and one byte too few for those given.
func freeBut(full ...string) func(topology.Segment) int64 {
	return func(s topology.Segment) int64 {
		if slices.Contains(full, s["x/zone"]) {
			return size - 1
		}
		return room
	}
}

func TestChooseAsTheSpecsExamples(t *testing.T) {
	known := zones("Z2", "Z3", "Z4", "Z5")
	for _, test := range []struct {
		name      string // from the list of the spec's examples
		x         int
		requisite []topology.Segment
		preferred []topology.Segment
		full      []string
		want      string // "" means there is no room
	}{
		{"T-EQ-1", 1, zones("Z2"), nil, nil, "Z2"},
		{"T-EQ-1F", 1, zones("Z2"), nil, []string{"Z2"}, ""},
		{"T-EQ-2", 2, zones("Z2", "Z3"), nil, nil, "Z2 Z3"},
		{"T-EQ-2F", 2, zones("Z2", "Z3"), nil, []string{"Z3"}, ""},
		{"T-LT-1", 1, zones("Z2", "Z3"), nil, nil, "Z2"},
		{"T-LT-1F, one full", 1, zones("Z2", "Z3"), nil, []string{"Z2"}, "Z3"},
		{"T-LT-1F, both full", 1, zones("Z2", "Z3"), nil, []string{"Z2", "Z3"}, ""},
		{"T-LT-2", 2, zones("Z2", "Z3", "Z4"), nil, nil, "Z2 Z3"},
		{"T-LT-2F", 2, zones("Z2", "Z3", "Z4"), nil, []string{"Z2", "Z3"}, ""},
		{"T-GT-1", 2, zones("Z4"), nil, nil, "Z4 Z2"},
		{"T-GT-1F", 2, zones("Z2"), nil, []string{"Z3", "Z4", "Z5"}, ""},
		{"x>n, requisite full", 2, zones("Z2"), nil, []string{"Z2"}, ""},
		{"x more than there are", 5, zones("Z2"), nil, nil, ""},
		{"T-PF-1a", 1, zones("Z2", "Z3"), zones("Z3"), nil, "Z3"},
		{"T-PF-1b", 1, zones("Z2", "Z3"), zones("Z3"), []string{"Z3"}, "Z2"},
		{"T-PF-2a", 1, known, zones("Z4", "Z2"), nil, "Z4"},
		{"T-PF-2b", 1, known, zones("Z4", "Z2"), []string{"Z4"}, "Z2"},
		{"T-PF-2c", 1, known, zones("Z4", "Z2"), []string{"Z4", "Z2"}, "Z3"},
		{"T-PF-2d", 1, known, zones("Z4", "Z2"), []string{"Z2", "Z3", "Z4", "Z5"}, ""},
		{"T-PF-3a", 2, known, zones("Z5", "Z3"), nil, "Z5 Z3"},
		{"T-PF-3b", 2, known, zones("Z5", "Z3"), []string{"Z3"}, "Z5 Z2"},
		{"T-PF-3c", 2, known, zones("Z5", "Z3"), []string{"Z5"}, "Z3 Z2"},
		{"T-PF-3d", 2, known, zones("Z5", "Z3"), []string{"Z5", "Z3"}, "Z2 Z4"},
		{"T-PF-3e", 2, known, zones("Z5", "Z3"), []string{"Z5", "Z3", "Z2"}, ""},
		{"T-PO-1", 1, nil, zones("Z4", "Z2"), nil, "Z4"},
		{"T-PO-2", 1, nil, zones("Z4", "Z2"), []string{"Z4", "Z2"}, "Z3"},
		{"preferred does not outweigh requisite when x>n", 2, zones("Z2", "Z3"), zones("Z3"), []string{"Z2"}, ""},
		{"others stay out of it when x<n", 1, zones("Z2", "Z3"), zones("Z3"), []string{"Z2", "Z3"}, ""},
		{"unknown in requisite, x<n", 1, zones("Z9", "Z3"), nil, nil, "Z3"},
		{"unknown in requisite, x=n", 2, zones("Z9", "Z3"), nil, nil, ""},
		{"unknown in requisite, x>n", 3, zones("Z9", "Z3"), nil, nil, ""},
		{"unknown in requisite, the others full", 1, zones("Z9", "Z3"), nil, []string{"Z3"}, ""},
		{"unknown in both lists", 1, zones("Z9", "Z2", "Z3"), zones("Z9", "Z3"), nil, "Z3"},
		{"unknown in preferred only", 1, nil, zones("Z9"), nil, "Z2"},
		{"twice in requisite counts once", 2, zones("Z2", "Z2"), nil, nil, "Z2 Z3"},
		{"twice in preferred counts once", 2, known, zones("Z5", "Z5", "Z4"), nil, "Z5 Z4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			requirement, err := topology.NewRequirement(known, asked(test.requisite), asked(test.preferred))
			if err != nil {
				t.Fatal(err)
			}
			got, err := topology.Choose(known, requirement, test.x, size, freeBut(test.full...))
			if test.want == "" {
				if noRoom := (*topology.NoRoomError)(nil); !errors.As(err, &noRoom) || got != nil {
					t.Fatalf("got {%s} and %v, want no room", zonesOf(got), err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if zonesOf(got) != test.want {
				t.Errorf("got %s, want %s", zonesOf(got), test.want)
			}
			if !requirement.Met(got) {
				t.Errorf("%s was chosen, and does not meet the requirement", zonesOf(got))
			}
		})
	}
}

func TestChooseWithoutRequirement(t *testing.T) {
	known := zones("Z2", "Z3")
	got, err := topology.Choose(known, topology.Requirement{}, 1, size, freeBut("Z2"))
	if err != nil || zonesOf(got) != "Z3" {
		t.Errorf("got %s and %v, want Z3", zonesOf(got), err)
	}
}

func TestChooseAmongEquals(t *testing.T) {
	known := zones("Z5", "Z4", "Z3", "Z2")
	region := []map[string]string{{"x/region": "R1"}}
	for _, test := range []struct {
		name      string
		requisite []map[string]string
		preferred []map[string]string
		free      map[string]int64
		want      string
	}{
		{"most room first, then by name", region, nil, map[string]int64{"Z2": 50, "Z3": 70, "Z4": 70, "Z5": 60}, "Z3 Z4 Z5"},
		{"requisite has no order", asked(zones("Z5", "Z2", "Z3", "Z4")), nil, map[string]int64{"Z2": 50, "Z3": 50, "Z4": 50, "Z5": 60}, "Z5 Z2 Z3"},
		{"preferred has one, whatever the room", nil, asked(zones("Z4", "Z2", "Z3")), map[string]int64{"Z2": 20, "Z3": 90, "Z4": 10, "Z5": 90}, "Z4 Z2 Z3"},
		{"preferred by region first, then by room", region, append(asked(zones("Z2")), region...), map[string]int64{"Z2": 20, "Z3": 80, "Z4": 90, "Z5": 90}, "Z2 Z4 Z5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			requirement, err := topology.NewRequirement(known, test.requisite, test.preferred)
			if err != nil {
				t.Fatal(err)
			}
			got, err := topology.Choose(known, requirement, 3, size, func(s topology.Segment) int64 { return test.free[s["x/zone"]] })
			if err != nil {
				t.Fatal(err)
			}
			if zonesOf(got) != test.want {
				t.Errorf("got %s, want %s", zonesOf(got), test.want)
			}
		})
	}
}

// TestChooseWithinReach checks that a segment that is out of reach counts as full, and comes after all others; if no
// other is left, the error says so.
func TestChooseWithinReach(t *testing.T) {
	known := zones("Z2", "Z3", "Z4", "Z5")
	// Z4 is full, and Z5 is out of reach.
	free := func(s topology.Segment) int64 {
		return map[string]int64{"Z2": room, "Z3": 2 * room, "Z4": 0, "Z5": topology.OutOfReach}[s["x/zone"]]
	}
	for _, test := range []struct {
		name      string
		x         int
		requisite []topology.Segment
		preferred []topology.Segment
		want      string
		refused   string // "" means none
	}{
		{"anywhere", 2, nil, nil, "Z3 Z2", ""},
		{"not where it is preferred", 1, known, zones("Z5", "Z2"), "Z2", ""},
		{"not where it must be", 1, zones("Z5"), nil, "", "there are not as many: {x/region=R1,x/zone=Z5} is out of reach"},
		{"not also where it must be", 2, zones("Z2", "Z5"), nil, "",
			"{x/region=R1,x/zone=Z2} has 100 bytes free, {x/region=R1,x/zone=Z5} is out of reach"},
		{"not as one of more than must be", 3, zones("Z2"), nil, "",
			"{x/region=R1,x/zone=Z2} has 100 bytes free, {x/region=R1,x/zone=Z3} has 200 bytes free, {x/region=R1,x/zone=Z4} has 0 bytes free, {x/region=R1,x/zone=Z5} is out of reach"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var requirement topology.Requirement
			if len(test.requisite)+len(test.preferred) > 0 {
				var err error
				if requirement, err = topology.NewRequirement(known, asked(test.requisite), asked(test.preferred)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := topology.Choose(known, requirement, test.x, size, free)
			if zonesOf(got) != test.want || (err == nil) != (test.refused == "") || (err != nil && !strings.HasSuffix(err.Error(), test.refused)) {
				t.Errorf("got {%s} and %v, want {%s} and %q", zonesOf(got), err, test.want, test.refused)
			}
		})
	}
	t.Run("whatever the size", func(t *testing.T) {
		if got, err := topology.Choose(known, topology.Requirement{}, 4, 0, free); err == nil {
			t.Errorf("got {%s}, want nothing out of reach", zonesOf(got))
		}
	})
}

func TestNoRoomNamesWhatWasTried(t *testing.T) {
	known := zones("Z2", "Z3", "Z4")
	requirement, err := topology.NewRequirement(known, asked(zones("Z2", "Z4")), asked(zones("Z4")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = topology.Choose(known, requirement, 2, size, freeBut("Z4"))
	want := "2 of the allowed segments with 10 bytes free each are needed, and there are not as many: " +
		"{x/region=R1,x/zone=Z4} has 9 bytes free, {x/region=R1,x/zone=Z2} has 100 bytes free"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestNoRoomNamesWhatIsUnknown(t *testing.T) {
	known := zones("Z2")
	requirement, err := topology.NewRequirement(known, asked(zones("Z2", "Z9")), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = topology.Choose(known, requirement, 2, size, freeBut())
	want := "{x/region=R1,x/zone=Z2} has 100 bytes free, no node is in {x/region=R1,x/zone=Z9}"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestNoRoomWithoutSegments(t *testing.T) {
	_, err := topology.Choose(nil, topology.Requirement{}, 1, size, freeBut())
	if err == nil || !strings.Contains(err.Error(), "no node has registered with one yet") {
		t.Errorf("got %v, want that no segment is known", err)
	}
}
