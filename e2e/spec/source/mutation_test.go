// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/source"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, source.Areas, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers(), spectest.Skips("source_unsupported", verdict.ByCapability))
}

// groups are the faults of one part each, with the expectations and the areas whose cases are run against them.
var groups = []struct {
	focus   string
	faults  map[string]spectest.Fault
	catches map[string][]spectest.Case
}{
	{"restoring|cloning|source_", faults, catches},
	{"taking snapshots", snapshotFaults, snapshotCatches},
	{"listing snapshots", listFaults, listCatches},
	{"topology of snapshots", topologyFaults, topologyCatches},
}

// wide are the faults that show in cases besides those that are named.
var wide = []string{
	"creates volumes in Z3 only",
	"makes nothing from a source",
	"answers with the source itself",
	"a copy is empty",
	"says that a snapshot is usable from a zone more",
	"says that a snapshot is usable from everywhere, whatever the request",
	"says that a snapshot is deleted, and keeps it",
	"lists snapshots forever",
	"says where a snapshot is usable, and does not claim to",
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	wanted["takes no snapshots"] = spectest.Expectation{
		Driver: spectest.Driver{Fault: noSnapshots(), Focus: "snapshot_volume"},
		Cases:  []spectest.Case{spectest.Fails("snapshot_volume", "CS-22")},
	}
	wanted["creates an empty volume from a source that it does not claim"] = spectest.Expectation{
		Driver: spectest.Driver{Fault: unclaimedIgnored(), Focus: "source_unsupported"},
		Cases:  []spectest.Case{spectest.Fails("source_unsupported", "CREATE-04")},
	}
	wanted["deletes in the background for longer than cases wait"] = spectest.Expectation{
		Driver: spectest.Driver{Fault: deletingLate(), Focus: "unknown_source|snapshot_unknown_volume"},
		Cases:  []spectest.Case{spectest.Errs(unknown + " snapshot_unknown_volume")},
	}
	for _, g := range groups {
		isWide := func(name string) bool { return slices.Contains(wide, name) }
		for name, expectation := range spectest.Wrong(g.faults, g.catches, isWide) {
			expectation.Focus = g.focus
			wanted[name] = expectation
		}
	}
	return wanted
}
