// SPDX-License-Identifier: Apache-2.0

package session

import (
	"strings"
	"testing"
)

func TestPatternsOfSubtests(t *testing.T) {
	for _, c := range []struct {
		run, name string
		want      bool
	}{
		{"", "TestDriver/T-EQ-1", true},
		{"TestDriver", "TestDriver/T-EQ-1", true},
		{"TestDriver/T-EQ-1", "TestDriver/T-EQ-1", true},
		{"TestDriver/T-EQ-1", "TestDriver/T-EQ-1F", true},
		{"TestDriver/T-EQ-1$", "TestDriver/T-EQ-1F", false},
		{"TestDriver/T-EQ", "TestDriver/health_unknown_volume", false},
		{"TestDriver/(T-EQ|health)", "TestDriver/health_unknown_volume", true},
		{"TestOther|TestDriver/health", "TestDriver/health_unknown_volume", true},
		{"TestOther/health|TestDriver/T-EQ", "TestDriver/health_unknown_volume", false},
		{"Test[D/|]/health", "TestD/health_unknown_volume", true},
		{"/health", "TestDriver/health_unknown_volume", true},
	} {
		if got := patternsOf(c.run).match(strings.Split(c.name, "/"), true); got != c.want {
			t.Errorf("-run %q: %s is chosen: got %t, want %t", c.run, c.name, got, c.want)
		}
	}
}
