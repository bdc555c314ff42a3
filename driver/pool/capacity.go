// SPDX-License-Identifier: Apache-2.0

package pool

import (
	"slices"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// Capacity is the number of bytes that segments have in each class of storage.
type Capacity struct {
	// Pools are tried in order; the first of the class that matches a segment determines its capacity. A segment that none
	// matches has no capacity of that class.
	Pools []Pool
}

// Pool is the storage of one class in each matching segment.
type Pool struct {
	// Class is the value of the StorageClass parameter "class", or "" without it.
	Class string
	// Matching may name only some keys: {zone: Z2} matches that zone in every region, and an empty map every segment.
	Matching map[string]string
	// Bytes is the capacity of each matching segment.
	Bytes int64
}

// Uniform returns the capacity of segments that all have the given number of bytes, in
// one class without a name.
func Uniform(bytes int64) Capacity {
	return Capacity{Pools: []Pool{{Bytes: bytes}}}
}

// Of returns the bytes of a class that the segment has, used or not.
func (c Capacity) Of(class string, segment topology.Segment) int64 {
	for _, pool := range c.Pools {
		if pool.Class == class && segment.Matches(pool.Matching) {
			return pool.Bytes
		}
	}
	return 0
}

// Classes returns all classes, sorted.
func (c Capacity) Classes() []string {
	var classes []string
	for _, pool := range c.Pools {
		classes = append(classes, pool.Class)
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}
