// SPDX-License-Identifier: Apache-2.0

package interview

import (
	"slices"
	"testing"
)

func TestSizes(t *testing.T) {
	const mebi, gibi = int64(1 << 20), int64(1 << 30)
	for _, test := range []struct {
		name  string
		given []Room
		want  []int64 // the first ones
	}{
		{"nothing is told", nil, []int64{gibi, 256 * mebi, 64 * mebi}},
		{"capacity is refused", []Room{{Refused: "INTERNAL"}}, []int64{gibi}},
		{"room without end", []Room{{Available: 1 << 50}}, []int64{gibi}},
		{"room for dozens of small ones", []Room{{Available: gibi}, {Available: 2 * gibi}}, []int64{16 * mebi, 4 * mebi, mebi, 64 * mebi}},
		{"volumes of 10 GiB at least", []Room{{Available: 1 << 40, Smallest: 10 * gibi}}, []int64{10 * gibi, 100 * gibi}},
		{"an unusual smallest size", []Room{{Available: 1 << 40, Smallest: 5 * gibi}}, []int64{10 * gibi, 5 * gibi, 100 * gibi}},
		{"no room for growth in one volume", []Room{{Available: 1 << 40, Largest: gibi}}, []int64{256 * mebi}},
		{"no room for any", []Room{{Available: 1024}}, []int64{mebi}},
		{"room for one volume alone", []Room{{Available: 2 * mebi}}, []int64{mebi}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Sizes(test.given)
			if len(got) < len(test.want) || !slices.Equal(got[:len(test.want)], test.want) {
				t.Errorf("got %d, want first %d", got, test.want)
			}
		})
	}
}
