// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// nowhere is the value of a topology that no node reports, as in the cases of the spec tier.
const nowhere = "csi-topo-nowhere"

// worlds returns the segments of each driver in the vectors. Most drivers have the four zones of the specification's
// examples.
func worlds() []model.Set {
	four := zones("Z2 Z3 Z4 Z5")
	apart := append(zones("Z2 Z3"), model.Segment{"region": "R2", "zone": "Z4"}, model.Segment{"region": "R2", "zone": "Z5"})
	alike := append(zones("Z2 Z3"), model.Segment{"region": "R2", "zone": "Z2"}, model.Segment{"region": "R2", "zone": "Z3"})
	oneKey := model.Set{{"zone": "Z2"}, {"zone": "Z3"}, {"zone": "Z4"}}
	return []model.Set{four, four, four, four, zones("Z2"), zones("Z2 Z3"), zones("Z2 Z3 Z4"), apart, apart, alike, alike, oneKey}
}

// elsewhere returns the topology of a zone in a region, neither of which exists.
func elsewhere() model.Segment { return model.Segment{"region": nowhere, "zone": nowhere} }

// unknown returns topologies that resemble the segment and that no node reports.
func unknown(segment model.Segment) []model.Segment {
	found := []model.Segment{with(segment, "zone", nowhere), with(segment, "zone", "Z9"), with(segment, "rack", "1")}
	if segment["region"] == "" {
		return found
	}
	return append(found, elsewhere(), elsewhere(), with(segment, "region", "R9"), model.Segment{"zone": "Z9"}, model.Segment{"rack": "1"})
}

// wider returns topologies that have one of the segment's keys, and may match other segments too. For a segment with one key,
// that is the segment.
func wider(segment model.Segment) []model.Segment {
	found := []model.Segment{{"zone": segment["zone"]}}
	if region := segment["region"]; region != "" {
		found = append(found, model.Segment{"region": region})
	}
	return found
}

// rewritten returns topologies whose keys or values differ from the segment's in letter case.
func rewritten(segment model.Segment) []model.Segment {
	upper := model.Segment{}
	for key, value := range segment {
		upper[strings.ToUpper(key)] = value
	}
	return []model.Segment{upper, with(segment, "zone", strings.ToLower(segment["zone"]))}
}

// malformed returns topologies with a key or a value that breaks the rules.
func malformed(segment model.Segment) []model.Segment {
	const tooLong = 64
	return []model.Segment{
		{},
		with(segment, "", "1"),
		with(segment, "zone", ""),
		with(segment, "zone", strings.Repeat("z", tooLong)),
		with(segment, "ZONE", segment["zone"]),
	}
}

// with returns the topology with another value of the key.
func with(topology model.Segment, key, value string) model.Segment {
	changed := maps.Clone(topology)
	changed[key] = value
	return changed
}
