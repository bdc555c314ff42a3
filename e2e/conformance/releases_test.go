// SPDX-License-Identifier: Apache-2.0

package conformance

import "testing"

func TestProvisional(t *testing.T) {
	first := release{"v0.1.0", []string{"T-1"}}
	second := release{"v0.2.0", []string{"T-2"}}
	third := release{"v0.3.0", []string{"T-3"}}
	for _, c := range []struct {
		name     string
		releases []release
		id       string
		want     bool
	}{
		{"of the only release", []release{first}, "T-1", false},
		{"of none", []release{first}, "T-2", true},
		{"first in the newest", []release{first, second}, "T-2", true},
		{"first in the one before the newest", []release{first, second, third}, "T-2", false},
	} {
		if got := provisional(c.releases, c.id); got != c.want {
			t.Errorf("%s: want %v, got %v", c.name, c.want, got)
		}
	}
}

func TestEveryCaseIsInOneRelease(t *testing.T) {
	seen := map[string]string{}
	for _, r := range releases() {
		for _, id := range r.Cases {
			if seen[id] != "" {
				t.Errorf("%s is in the releases %s and %s: want the first", id, seen[id], r.Release)
			}
			seen[id] = r.Release
		}
	}
}
