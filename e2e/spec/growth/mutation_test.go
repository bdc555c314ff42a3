package growth_test

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/spec/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, growth.Register, spectest.Drivers(drivers())))
}

func TestTheCasesJudge(t *testing.T) {
	spectest.Judge(t, drivers(), spectest.Skips("grow_published_offline", "lists VolumeExpansion ONLINE"))
}

// wide are the faults that show in cases besides those that are named.
var wide = []string{
	"says that a volume grew, and left it",
	"answers with the size from before",
	"on the node: knows no target paths",
	"on the node: answers with the size from before",
	"on the node: cannot grow in use, and says INTERNAL",
	"on the node: refuses to grow in use without a message",
}

// drivers are the faults, each with the cases of its side, and what is right and lacks something.
func drivers() map[string]spectest.Expectation {
	wanted := maps.Clone(lacks)
	add := func(side, focus string, faults map[string]spectest.Fault, catches map[string][]spectest.Case) {
		isWide := func(name string) bool { return slices.Contains(wide, side+name) }
		for name, expectation := range spectest.Wrong(faults, catches, isWide) {
			expectation.Focus, expectation.Options = focus, withoutLargest
			wanted[side+name] = expectation
		}
	}
	add("", "controller growth", faults, catches)
	add("on the node: ", "node growth", nodeFaults, nodeCatches)
	return wanted
}

// withoutLargest starts the driver without a largest size, so that room is what a growth can lack.
func withoutLargest(o *embedded.Options) { o.Sizes.MaximumBytes = 0 }
