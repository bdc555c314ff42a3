// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strings"
	"testing"
)

func TestSyntax(t *testing.T) {
	long := strings.Repeat("a", longest)
	for _, c := range []struct {
		name  string
		given Segment
		keys  string
		value string
	}{
		{"a name only", Segment{"zone": "Z2"}, "", ""},
		{"a prefix", Segment{"topology.example.com/zone": "Z2", "topology.example.com/Rack_1.a": "r-1_2.x"}, "", ""},
		{"as long as may be", Segment{long + "/" + long: long}, "", ""},
		{"no name", Segment{"": "Z2"}, "TO-02", ""},
		{"a prefix and no name", Segment{"example.com/": "Z2"}, "TO-02", ""},
		{"a name that is too long", Segment{long + "a": "Z2"}, "TO-03", ""},
		{"a name that ends in a dash", Segment{"zone-": "Z2"}, "TO-03", ""},
		{"a name with a blank", Segment{"my zone": "Z2"}, "TO-03", ""},
		{"a second slash", Segment{"example.com/a/b": "Z2"}, "TO-03", ""},
		{"an empty prefix", Segment{"/zone": "Z2"}, "TO-04", ""},
		{"a prefix that is too long", Segment{long + "a/zone": "Z2"}, "TO-04", ""},
		{"a prefix in upper case", Segment{"Example.com/zone": "Z2"}, "TO-04", ""},
		{"a prefix with an underscore", Segment{"my_example.com/zone": "Z2"}, "TO-04", ""},
		{"a prefix with an empty label", Segment{"example..com/zone": "Z2"}, "TO-04", ""},
		{"a prefix with a label that ends in a dash", Segment{"example-.com/zone": "Z2"}, "TO-04", ""},
		{"keys that differ in case", Segment{"zone": "Z2", "Zone": "Z2"}, "TO-08", ""},
		{"an empty value", Segment{"zone": ""}, "", "TO-09"},
		{"a value that is too long", Segment{"zone": long + "a"}, "", "TO-10"},
		{"a value that begins with a dot", Segment{"zone": ".a"}, "", "TO-10"},
		{"a value with a slash", Segment{"zone": "a/b"}, "", "TO-10"},
		{"several", Segment{"": "", "zone-": "Z2"}, "TO-02 TO-03", "TO-09"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := clauses(c.given.BrokenKeys()); got != c.keys {
				t.Errorf("keys of %v: got %q, want %q", c.given, got, c.keys)
			}
			if got := clauses(c.given.BrokenValues()); got != c.value {
				t.Errorf("values of %v: got %q, want %q", c.given, got, c.value)
			}
		})
	}
}

func clauses(reasons []Reason) string {
	var ids []string
	for _, reason := range reasons {
		ids = append(ids, reason.Clause)
	}
	return strings.Join(ids, " ")
}

func TestPrefixes(t *testing.T) {
	given := Set{{"b.example/zone": "1", "a.example/rack": "1"}, {"b.example/zone": "2", "host": "1"}}
	if got, want := given.Prefixes(), []string{"a.example", "b.example"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
