// SPDX-License-Identifier: Apache-2.0

package engine

import "testing"

func TestLacksCapability(t *testing.T) {
	for _, test := range []struct {
		name  string
		given string
		want  bool
	}{
		{"ordinary host", "Name:\tx\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\nCapAmb:\t0000000000000000\n", false},
		{"bounding set without it", "CapBnd:\t000001fffeffffff\n", true},
		{"only the effective set is without it", "CapEff:\t000001fffeffffff\nCapBnd:\t000001ffffffffff\n", false},
		{"empty bounding set", "CapBnd:\t0000000000000000\n", true},
		{"no /proc", "", false},
		{"not a number", "CapBnd:\tall\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := lacksCapability(test.given, capSysResource); got != test.want {
				t.Errorf("lacksCapability(%q) = %v, want %v", test.given, got, test.want)
			}
		})
	}
}
