// SPDX-License-Identifier: Apache-2.0

package pool_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/pool"
	"github.com/csi-topo/csi-topo/driver/topology"
)

// TestUsageOfClasses checks that each class in each segment is reserved separately.
func TestUsageOfClasses(t *testing.T) {
	reservations := pool.New(pool.Capacity{Pools: []pool.Pool{{Bytes: 100}, {Class: "fast", Bytes: 10}}})
	both := []topology.Segment{z2, z3}
	if err := reservations.Reserve("a", pool.Entry{Class: "fast", Bytes: 8, Segments: both}); err != nil {
		t.Fatal(err)
	}
	if err := reservations.Reserve("b", pool.Entry{Bytes: 60, Segments: []topology.Segment{z2}}); err != nil {
		t.Fatal(err)
	}
	if err := reservations.Reserve("c", pool.Entry{Class: "fast", Bytes: 3, Segments: both}); err == nil || !strings.Contains(err.Error(), "which has 2") {
		t.Errorf("got %v, want that there are 2 bytes of the class", err)
	}
	if err := reservations.Grow("a", 11); err == nil {
		t.Error("a volume grew by more than there is of its class")
	}
	for _, want := range []pool.Usage{
		{Class: "", Segment: z2, CapacityBytes: 100, AvailableBytes: 40},
		{Class: "", Segment: z3, CapacityBytes: 100, AvailableBytes: 100},
		{Class: "fast", Segment: z2, CapacityBytes: 10, AvailableBytes: 2},
		{Class: "fast", Segment: z3, CapacityBytes: 10, AvailableBytes: 2},
		{Class: "slow", Segment: z2},
	} {
		if got := reservations.Usage(want.Class, want.Segment); !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// TestSetCapacity checks that reservations stay when the capacity changes, and that the available bytes are never
// negative.
func TestSetCapacity(t *testing.T) {
	reservations := pool.New(pool.Uniform(100))
	if err := reservations.Reserve("a", pool.Entry{Bytes: 60, Segments: []topology.Segment{z2}}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ bytes, z2, z3 int64 }{{60, 0, 60}, {59, 0, 59}, {0, 0, 0}, {100, 40, 100}} {
		reservations.SetCapacity(pool.Uniform(test.bytes))
		if got := reservations.Available("", z2); got != test.z2 {
			t.Errorf("of %d bytes, Z2 has %d left, want %d", test.bytes, got, test.z2)
		}
		if got := reservations.Available("", z3); got != test.z3 {
			t.Errorf("of %d bytes, Z3 has %d left, want %d", test.bytes, got, test.z3)
		}
		if got := reservations.Capacity().Of("", z2); got != test.bytes {
			t.Errorf("the capacity is %d, want %d", got, test.bytes)
		}
	}
	reservations.SetCapacity(pool.Uniform(50))
	if err := reservations.Grow("a", 61); err == nil {
		t.Error("a volume grew where nothing was left")
	}
	if err := reservations.Grow("a", 60); err != nil {
		t.Errorf("a volume may not keep what it has: %v", err)
	}
	reservations.Release("a")
	if got := reservations.Available("", z2); got != 50 {
		t.Errorf("released, Z2 has %d bytes, want 50", got)
	}
}
