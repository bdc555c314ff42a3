// SPDX-License-Identifier: Apache-2.0

package requirement

import "testing"

func TestRegisterProfiles(t *testing.T) {
	cores := 0
	for _, p := range Profiles() {
		if p.Name == "" || p.Text == "" || len(p.All()) == 0 {
			t.Errorf("want a name, a text and requirements, got %+v", p)
		}
		if p.Core {
			cores++
		}
	}
	if cores != 1 {
		t.Errorf("want one core profile, got %d", cores)
	}
}

func TestProfilesThatAreRefused(t *testing.T) {
	for _, c := range []struct{ name, given string }{
		{"an unknown requirement", "[{name: p, requirements: [TR-99]}]"},
		{"a SHOULD", "[{name: p, requirements: [PF-08]}]"},
		{"a requirement of the platform", "[{name: p, requirements: [CR-01]}]"},
		{"a requirement of two profiles", "[{name: p, requirements: [TR-01]}, {name: q, declared: [TR-01]}]"},
		{"an unknown field", "[{name: p, cases: [T-EQ-1]}]"},
	} {
		if _, err := parseProfiles([]byte(c.given)); err == nil {
			t.Errorf("%s: want an error", c.name)
		}
	}
}
