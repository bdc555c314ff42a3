// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestExtent(t *testing.T) {
	for _, c := range []struct {
		name  string
		given Extent
		index int
		took  time.Duration
		want  suite.DecidedBy
	}{
		{"all of a fast driver", Measured, 3, time.Millisecond, ""},
		{"the first of a slow driver", Measured, 0, time.Second, ""},
		{"another of a slow driver", Measured, 1, time.Second, suite.ByEnvironment},
		{"all of a slow driver, as asked", Everywhere, 3, time.Second, ""},
		{"the first, as asked", First, 0, time.Millisecond, ""},
		{"not another one, as asked", First, 1, time.Millisecond, suite.ByFilter},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.given.Check(); err != nil {
				t.Error(err)
			}
			if why, by := c.given.leavesOut(c.index, c.took); by != c.want || (why == "") != (by == "") {
				t.Errorf("left out by %q, %q; want %q", by, why, c.want)
			}
		})
	}
}

// TestAmong checks the number of segments in which csi-sanity has cases.
func TestAmong(t *testing.T) {
	for extent, counts := range map[Extent]map[int]int{
		Everywhere: {0: 0, 4: 4, 11: 11},
		Measured:   {0: 0, 4: 4, 11: room.Sample},
		First:      {0: 0, 4: 4, 11: room.Sample},
	} {
		for given, want := range counts {
			if got := len(extent.among(make([]Segment, given))); got != want {
				t.Errorf("%s of %d segments: want %d, got %d", extent, given, want, got)
			}
		}
	}
}
