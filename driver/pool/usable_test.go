// SPDX-License-Identifier: Apache-2.0

package pool_test

import (
	"testing"

	"github.com/csi-topo/csi-topo/driver/pool"
)

func TestUsable(t *testing.T) {
	all := []int{0, 1, 2, 3}
	for _, test := range []struct {
		name           string
		rooms          []int64
		in             []int
		x              int
		total, largest int64
	}{
		{"one segment", []int64{10, 20, 30, 40}, []int{2}, 1, 30, 30},
		{"all segments", []int64{10, 20, 30, 40}, all, 1, 100, 40},
		{"one full segment", []int64{10, 0, 30, 40}, []int{1}, 1, 0, 0},
		{"x=2, bounded by its own room", []int64{10, 20, 30, 40}, []int{0}, 2, 10, 10},
		{"x=2, bounded by the best partner", []int64{10, 20, 30, 40}, []int{3}, 2, 30, 30},
		{"x=2, no partner", []int64{10, 0, 0, 0}, []int{0}, 2, 0, 0},
		{"x=2, all: a volume counts once", []int64{10, 10, 10, 10}, all, 2, 20, 10},
		{"x=2, only two have room", []int64{10, 10, 0, 0}, all, 2, 10, 10},
		{"x=4", []int64{10, 20, 30, 40}, all, 4, 10, 10},
		{"x more than there are", []int64{10, 20}, []int{0, 1}, 3, 0, 0},
		{"none match", []int64{10, 20}, nil, 1, 0, 0},
		{"none known", nil, nil, 1, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			total, largest := pool.Usable(test.rooms, test.in, test.x)
			if total != test.total || largest != test.largest {
				t.Errorf("got %d, largest %d, want %d, largest %d", total, largest, test.total, test.largest)
			}
		})
	}
}
