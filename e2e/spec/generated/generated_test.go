package generated_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/spec/generated"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const (
	id    = "generated_sequence"
	steps = 500
	// ample room is left by drivers that lose some of it in every attempt.
	ample = 1 << 36
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, generated.Register, drivers()))
}

func TestTheReferenceDriverPasses(t *testing.T) {
	spectest.ExpectPasses(t)
}

// drivers are those that are wrong, and those that are right and lack something.
func drivers() map[string]spectest.Driver {
	all := spectest.Drivers(lacks)
	for name, wrong := range faults {
		all[name] = spectest.Driver{
			Fault:   wrong.fault(),
			Options: func(o *embedded.Options) { o.BytesPerSegment, o.Sizes = ample, service.Sizes{} },
			Target:  func(t *harness.Target) { t.Steps = steps },
		}
	}
	return all
}

func TestDriversThatLackSomethingPass(t *testing.T) {
	spectest.Expect(t, lacks)
}

func TestTheShortestSequenceIsShown(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := faults[name]
			says := wrong.says
			if wrong.steps > 0 {
				says = append(says, fmt.Sprintf("\n%d steps show it, none of which can be left out", wrong.steps))
			}
			for _, c := range spectest.Run(t, name).Cases {
				if c.ID != id || c.Verdict != verdict.Fail {
					t.Fatalf("case %s: %q %s\n%s", c.ID, c.Verdict, c.Reason, c.Message)
				}
				if len(c.Blamed) == 0 || len(c.Blamed) > 3 {
					t.Errorf("it blames %v", c.Blamed)
				}
				for _, clause := range c.Blamed {
					says = append(says, "("+clause+")")
				}
				for _, text := range says {
					if !strings.Contains(c.Message, text) {
						t.Errorf("the message lacks %q", text)
					}
				}
				t.Logf("%.2fs\n%s", c.Seconds, c.Message)
			}
		})
	}
}
