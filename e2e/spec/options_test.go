// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"testing"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

func TestHowManyCasesRunAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		asked   int
		profile profile.Profile
		want    int
		refused bool
	}{
		{"nothing said", 0, profile.Profile{}, DefaultParallel, false},
		{"asked for two", 2, profile.Profile{}, 2, false},
		{"exact capacity", 0, profile.Profile{Capacity: profile.Exact}, 1, false},
		{"a back end of the run's own", 0, profile.Profile{Exclusive: true}, 1, false},
		{"exact capacity, and asked for two", 2, profile.Profile{Capacity: profile.Exact}, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Options{Parallel: c.asked}.sideBySide(c.profile)
			if got != c.want || (err != nil) != c.refused {
				t.Errorf("got %d, %v, want %d, refused: %v", got, err, c.want, c.refused)
			}
		})
	}
}
