package pool

import "github.com/csi-topo/csi-topo/driver/topology"

// Capacity says how many bytes segments have.
type Capacity struct {
	// DefaultBytes is what a segment has unless an override says otherwise.
	DefaultBytes int64
	// Overrides are tried in order; the first that matches a segment decides.
	Overrides []Override
}

// Override gives the segments that match it their own capacity.
type Override struct {
	// Matching may name only some keys: {zone: Z2} matches that zone in every region.
	Matching map[string]string
	// Bytes is what each matching segment has.
	Bytes int64
}

// Of returns the bytes that the segment has, used or not.
func (c Capacity) Of(segment topology.Segment) int64 {
	for _, override := range c.Overrides {
		if segment.Matches(override.Matching) {
			return override.Bytes
		}
	}
	return c.DefaultBytes
}
