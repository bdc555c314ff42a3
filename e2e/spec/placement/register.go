// SPDX-License-Identifier: Apache-2.0

// Package placement contains the spec tier's cases about CreateVolume's TopologyRequirement, and about the topologies from
// which a driver reports its volumes to be accessible. The cases of the specification's own examples, T-EQ-1 and so on, are
// rows of the table in examples.go. Z2 to Z5 are the driver's own first four segments; with fewer, the cases use the
// segments that it has.
package placement

import "github.com/csi-topo/csi-topo/e2e/spec/harness"

// Areas returns the cases of this package. The cases about forms come first: their findings explain the findings of others,
// and head them in a report.
func Areas() []harness.Area {
	areas := append([]harness.Area{{Name: "forms of a requirement", Cases: forms()}}, exampleAreas()...)
	return append(areas, []harness.Area{
		{Name: "lists of a requirement", Cases: append(listedTopologies(), lastWithRoom()...)},
		{Name: "topologies that are no segments", Cases: append(otherTopologies(), valueInOtherCase())},
		{Name: "repeated name", Cases: append(repeatedNames(), nameUsedAgainElsewhere())},
		{Name: "at the same time", Cases: []harness.Case{atOnceTwoZones(), atOnceLastRoom()}},
		{Name: "topology of a volume", Cases: volumeTopology()},
		{Name: "keys and values", Cases: append(keysAndValues(), topologyOwnPrefix())},
	}...)
}
