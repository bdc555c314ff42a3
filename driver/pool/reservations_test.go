// SPDX-License-Identifier: Apache-2.0

package pool_test

import (
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

var (
	z2 = topology.Segment{"x/zone": "Z2"}
	z3 = topology.Segment{"x/zone": "Z3"}
)

func TestBooks(t *testing.T) {
	both, first := []topology.Segment{z2, z3}, []topology.Segment{z2}
	for _, test := range []struct {
		name   string
		do     func(*pool.Reservations) error
		want   string // in the error; "" means no error
		z2, z3 int64  // available afterwards
	}{
		{"nothing reserved", func(*pool.Reservations) error { return nil }, "", 100, 50},
		{"a volume in one segment", func(b *pool.Reservations) error { return b.Reserve("a", pool.Entry{Bytes: 30, Segments: first}) }, "", 70, 50},
		{"a volume in two counts in both", func(b *pool.Reservations) error { return b.Reserve("a", pool.Entry{Bytes: 30, Segments: both}) }, "", 70, 20},
		{"the last byte", func(b *pool.Reservations) error { return b.Reserve("a", pool.Entry{Bytes: 50, Segments: both}) }, "", 50, 0},
		{"one byte too many is taken nowhere", func(b *pool.Reservations) error { return b.Reserve("a", pool.Entry{Bytes: 51, Segments: both}) },
			"needs 51 bytes in {x/zone=Z3}, which has 50", 100, 50},
		{"an id twice", func(b *pool.Reservations) error {
			_ = b.Reserve("a", pool.Entry{Bytes: 30, Segments: first})
			return b.Reserve("a", pool.Entry{Bytes: 30, Segments: first})
		}, "already", 70, 50},
		{"released", func(b *pool.Reservations) error {
			_ = b.Reserve("a", pool.Entry{Bytes: 30, Segments: both})
			b.Release("a")
			b.Release("a")
			return nil
		}, "", 100, 50},
		{"grown", func(b *pool.Reservations) error {
			_ = b.Reserve("a", pool.Entry{Bytes: 30, Segments: both})
			return b.Grow("a", 45)
		}, "", 55, 5},
		{"grown too much grows nowhere", func(b *pool.Reservations) error {
			_ = b.Reserve("a", pool.Entry{Bytes: 30, Segments: both})
			return b.Grow("a", 51)
		}, "needs 21 bytes more in {x/zone=Z3}, which has 20", 70, 20},
		{"never shrunk", func(b *pool.Reservations) error {
			_ = b.Reserve("a", pool.Entry{Bytes: 30, Segments: both})
			return b.Grow("a", 10)
		}, "", 70, 20},
		{"grown without a reservation", func(b *pool.Reservations) error { return b.Grow("a", 10) }, "no bytes reserved", 100, 50},
		{"restored beyond what there is", func(b *pool.Reservations) error {
			b.Restore("a", pool.Entry{Bytes: 80, Segments: both})
			return nil
		}, "", 20, 0},
		{"restored in place of what was", func(b *pool.Reservations) error {
			_ = b.Reserve("a", pool.Entry{Bytes: 30, Segments: both})
			b.Restore("a", pool.Entry{Bytes: 10, Segments: first})
			return nil
		}, "", 90, 50},
	} {
		t.Run(test.name, func(t *testing.T) {
			reservations := pool.New(pool.Capacity{Pools: []pool.Pool{
				{Class: "fast", Bytes: 9},
				{Matching: map[string]string{"x/zone": "Z3"}, Bytes: 50},
				{Matching: map[string]string{"x/zone": "Z3"}, Bytes: 7},
				{Bytes: 100},
			}})
			err := test.do(reservations)
			if (err == nil) != (test.want == "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
			if got := reservations.Available("", z2); got != test.z2 {
				t.Errorf("Z2 has %d bytes available, want %d", got, test.z2)
			}
			if got := reservations.Available("", z3); got != test.z3 {
				t.Errorf("Z3 has %d bytes available, want %d", got, test.z3)
			}
		})
	}
}
