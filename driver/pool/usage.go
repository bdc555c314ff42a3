// SPDX-License-Identifier: Apache-2.0

package pool

import "github.com/csi-topo/csi-topo/driver/topology"

// Usage is the usage of one class of storage in one segment, in bytes.
type Usage struct {
	Class          string
	Segment        topology.Segment
	CapacityBytes  int64
	AvailableBytes int64
}

// Usage returns the total and the remaining capacity of the class in the segment.
func (r *Reservations) Usage(class string, segment topology.Segment) Usage {
	return Usage{
		Class:          class,
		Segment:        segment,
		CapacityBytes:  r.capacity.Of(class, segment),
		AvailableBytes: r.Available(class, segment),
	}
}
