package source_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/spec/source"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, source.Register, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers())
}

// groups are the faults of one part each, with the expectations and the areas whose cases are run against them.
var groups = []struct {
	focus   string
	faults  map[string]spectest.Fault
	catches map[string][]spectest.Case
}{
	{"restoring|cloning", faults, catches},
	{"taking snapshots", snapshotFaults, snapshotCatches},
	{"listing snapshots", listFaults, listCatches},
	{"topology of snapshots", topologyFaults, topologyCatches},
}

// wide are the faults that show in cases besides those that are named.
var wide = []string{
	"makes nothing from a source",
	"answers with the source itself",
	"says that a snapshot is usable from a zone more",
}

// drivers are the faults, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	wanted["takes no snapshots"] = spectest.Expectation{
		Driver: spectest.Driver{Fault: noSnapshots(), Focus: "snapshot_volume"},
		Cases:  []spectest.Case{spectest.Fails("snapshot_volume", "takes snapshots (CS-03)\ngot: UNIMPLEMENTED")},
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
