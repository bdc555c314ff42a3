// SPDX-License-Identifier: Apache-2.0

package model

// Within returns the request with these topologies as requisite.
func (r Request) Within(segments ...Segment) Request {
	r.Requisite = segments
	return r
}

// Preferring returns the request with these topologies as preferred, first to last.
func (r Request) Preferring(segments ...Segment) Request {
	r.Preferred = segments
	return r
}

// OfBytes returns the request with another size.
func (r Request) OfBytes(size int64) Request {
	r.Bytes = size
	return r
}

// WithEmptyRequirement returns the request with a TopologyRequirement that names no topology.
func (r Request) WithEmptyRequirement() Request {
	r.Empty = true
	return r
}
