// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/room"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Extent is the choice of segments in which csi-sanity runs.
type Extent string

const (
	// Everywhere runs it in all segments.
	Everywhere Extent = "all"
	// First runs it in the first segment.
	First Extent = "first"
	// Measured runs it in the first eight if the driver creates a volume fast enough, and otherwise in the first one.
	Measured Extent = "auto"
)

// soon is the maximum time that a driver may take to create a volume for csi-sanity to run in several segments. A run makes
// about 450 mutating calls: at this time for each, it keeps a driver busy for a minute and a half.
const soon = 200 * time.Millisecond

// Check returns an error if the extent does not exist.
func (e Extent) Check() error {
	if !slices.Contains([]Extent{Everywhere, First, Measured}, e) {
		return fmt.Errorf("--csi-sanity is %q: want auto, all or first", e)
	}
	return nil
}

// among returns the segments that csi-sanity has cases for.
func (e Extent) among(segments []Segment) []Segment {
	if e == Everywhere {
		return segments
	}
	return segments[:min(len(segments), room.Sample)]
}

// leavesOut returns the reason why csi-sanity does not run in the segment with the index, for a driver that took the given
// time to create a volume, and the party that decided it; why is empty if csi-sanity runs.
func (e Extent) leavesOut(index int, took time.Duration) (why string, by suite.DecidedBy) {
	switch {
	case index == 0 || e == Everywhere || e == Measured && took <= soon:
		return "", ""
	case e == First:
		return "csi-sanity was requested in the first segment only", suite.ByFilter
	default:
		return fmt.Sprintf("the driver took %.1f s to create a volume, so csi-sanity runs in the first segment only, unless --csi-sanity is all", took.Seconds()), suite.ByEnvironment
	}
}
