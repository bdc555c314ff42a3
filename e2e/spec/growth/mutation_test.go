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

func TestTheReferenceDriverPasses(t *testing.T) {
	spectest.ExpectPasses(t, spectest.Skips("grow_published_offline", "lists VolumeExpansion ONLINE"))
}

func TestTheCasesJudge(t *testing.T) {
	if unexpected := slices.Sorted(maps.Keys(faults)); !slices.Equal(unexpected, slices.Sorted(maps.Keys(catches))) {
		t.Fatalf("the faults are %q, want one expectation for each", unexpected)
	}
	if unexpected := slices.Sorted(maps.Keys(nodeFaults)); !slices.Equal(unexpected, slices.Sorted(maps.Keys(nodeCatches))) {
		t.Fatalf("the faults of nodes are %q, want one expectation for each", unexpected)
	}
	spectest.Expect(t, drivers())
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
	add := func(name, focus string, fault spectest.Fault, cases []spectest.Case) {
		wanted[name] = spectest.Expectation{
			Driver: spectest.Driver{Fault: fault, Focus: focus, Options: withoutLargest},
			Cases:  cases,
			Wide:   slices.Contains(wide, name),
		}
	}
	for name, fault := range faults {
		add(name, "controller growth", fault, catches[name])
	}
	for name, fault := range nodeFaults {
		add("on the node: "+name, "node growth", fault, nodeCatches[name])
	}
	return wanted
}

// withoutLargest starts the driver without a largest size, so that room is what a growth can lack.
func withoutLargest(o *embedded.Options) { o.Sizes.MaximumBytes = 0 }
