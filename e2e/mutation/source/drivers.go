// SPDX-License-Identifier: Apache-2.0

// Package source has drivers that take, list and restore snapshots wrongly, and clone volumes wrongly, and right ones that lack something.
package source

import (
	"maps"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// group are the faults of one part, with the expectations and the areas whose cases are run against them.
type group struct {
	focus   string
	faults  map[string]mutation.Fault
	catches map[string][]mutation.Case
}

func groups() []group {
	return []group{
		{"restoring|cloning|source_", faults(), catches()},
		{"taking snapshots", snapshotFaults(), snapshotCatches()},
		{"listing snapshots", listFaults(), listCatches()},
		{"topology of snapshots", topologyFaults(), topologyCatches()},
	}
}

// wide are the faults that show in cases besides those that are named.
func wide() []string {
	return []string{
		"creates volumes in Z3 only",
		"gives no snapshot_id",
		"makes nothing from a source",
		"answers with the source itself",
		"a copy is empty",
		"says that a snapshot is usable from a zone more",
		"says that a snapshot is usable from everywhere, whatever the request",
		"says that a snapshot is deleted, and keeps it",
		"lists snapshots forever",
		"says where a snapshot is usable, and does not claim to",
	}
}

// Drivers are the faults, and what is right and lacks something.
func Drivers() map[string]mutation.Expectation {
	wanted := maps.Clone(lacks())
	wanted["takes no snapshots"] = mutation.Expectation{
		Driver: mutation.Driver{Fault: noSnapshots(), Focus: "snapshot_volume"},
		Cases:  []mutation.Case{mutation.Fails("snapshot_volume", "CS-22")},
	}
	wanted["creates an empty volume from a source that it does not claim"] = mutation.Expectation{
		Driver: mutation.Driver{Fault: unclaimedIgnored(), Focus: "source_unsupported"},
		Cases:  []mutation.Case{mutation.Fails("source_unsupported", "CREATE-04")},
	}
	wanted["says of an empty volume that it has a source which it does not claim"] = mutation.Expectation{
		Driver: mutation.Driver{Fault: unclaimedEmpty(), Focus: "source_unsupported"},
		Cases:  []mutation.Case{mutation.Fails("source_unsupported", "CREATE-04")},
	}
	wanted["deletes in the background for longer than cases wait"] = mutation.Expectation{
		Driver: mutation.Driver{Fault: deletingLate(), Focus: "unknown_source|snapshot_unknown_volume"},
		Cases:  []mutation.Case{mutation.Errs(unknown + " snapshot_unknown_volume")},
	}
	for _, g := range groups() {
		isWide := func(name string) bool { return slices.Contains(wide(), name) }
		for name, expectation := range mutation.Wrong(g.faults, g.catches, isWide) {
			expectation.Focus = g.focus
			wanted[name] = expectation
		}
	}
	return wanted
}
