// SPDX-License-Identifier: Apache-2.0

package model

import "testing"

func TestWorldInWords(t *testing.T) {
	places := []Place{
		{Segment: Segment{"zone": "Z2"}, Room: Exactly(5)},
		{Segment: Segment{"zone": "Z3"}},
		{Segment: Segment{"zone": "Z4"}, Room: NoneFor(7)},
		{Segment: Segment{"zone": "Z5"}, Room: OutOfReach()},
	}
	for _, c := range []struct {
		name  string
		world World
		want  string
	}{
		{"all is known", World{Places: places[:1]}, "    zone=Z2: 5 bytes"},
		{"nothing is known", World{Places: places[1:2], Open: true}, "    unknown: zone=Z3; segments that no given node reports"},
		{"some is known", World{Places: places}, "    zone=Z2: 5 bytes\n    zone=Z4: less than 7 bytes, which were refused\n    zone=Z5: perhaps out of the source's reach\n    unknown: zone=Z3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.world.String(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
