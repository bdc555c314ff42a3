// SPDX-License-Identifier: Apache-2.0

package model

// Within asks with these topologies as requisite.
func (r Request) Within(segments ...Segment) Request {
	r.Requisite = segments
	return r
}

// Preferring asks with these topologies as preferred, first to last.
func (r Request) Preferring(segments ...Segment) Request {
	r.Preferred = segments
	return r
}

// OfBytes requests another size.
func (r Request) OfBytes(size int64) Request {
	r.Bytes = size
	return r
}

// WithEmptyRequirement asks with a TopologyRequirement that names no topology.
func (r Request) WithEmptyRequirement() Request {
	r.Empty = true
	return r
}
