// SPDX-License-Identifier: Apache-2.0

package generated_test

import (
	"context"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec/generated"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const (
	id    = "generated_sequence"
	steps = 800
	// ample room is left by drivers that lose some of it in every attempt.
	ample = 1 << 36
)

func TestMain(m *testing.M) {
	os.Exit(spectest.Main(m, generated.Areas, drivers()))
}

func TestTheReferenceDriverPasses(t *testing.T) {
	spectest.ExpectPasses(t)
}

// drivers are those that are wrong, and those that are right and lack something.
func drivers() map[string]spectest.Driver {
	all := spectest.Drivers(lacks)
	maps.Copy(all, spectest.Drivers(twice))
	for name, wrong := range faults() {
		fault := wrong.fault()
		if _, together := faultsAtOnce[name]; !together {
			fault = oneAfterAnother(fault)
		}
		all[name] = spectest.Driver{
			Fault:   fault,
			Options: func(o *embedded.Options) { o.BytesPerSegment, o.Sizes = ample, service.Sizes{} },
			Target:  func(t *harness.Target) { t.Steps, t.Timeouts.Generated = steps, 3*time.Minute },
		}
	}
	return all
}

// faults are all drivers that only sequences find.
func faults() map[string]expectation {
	all := map[string]expectation{}
	for _, some := range []map[string]expectation{faultsOfVolumes, faultsOfSnapshots, faultsOfNodes, faultsAtOnce} {
		maps.Copy(all, some)
	}
	return all
}

// oneAfterAnother makes the calls of a fault that keeps books of its own one at a time: clean-up makes several at once.
func oneAfterAnother(fault spectest.Fault) spectest.Fault {
	var mu sync.Mutex
	return fault.And(spectest.OnAll(func(ctx context.Context, _ spectest.Right, call spectest.Call) (proto.Message, error) {
		mu.Lock()
		defer mu.Unlock()
		return call.Perform(ctx)
	}))
}

func TestDriversThatLackSomethingPass(t *testing.T) {
	spectest.Expect(t, lacks)
}

// shortest is how a message says how many steps the shortest sequence has.
var shortest = regexp.MustCompile(`(?m)^(\d+) steps? shows? it(?:, and all of them are needed)?, when`)

// TestTheShortestSequenceIsShown expects of each of the wrong drivers that the case fails by one of the clauses, and that
// one of the failures is shown by few steps.
func TestTheShortestSequenceIsShown(t *testing.T) {
	for name, wrong := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := only(t, spectest.Run(t, name))
			expected := func(clause string) bool { return slices.Contains(strings.Fields(wrong.clauses), clause) }
			if c.Verdict != verdict.Fail || !slices.ContainsFunc(c.Blamed, expected) {
				t.Fatalf("%s about %q %s\n%s", c.Verdict, c.Blamed, c.Reason, c.Message)
			}
			fewest := 0
			for _, shown := range shortest.FindAllStringSubmatch(c.Message, -1) {
				if steps, err := strconv.Atoi(shown[1]); err == nil && (fewest == 0 || steps < fewest) {
					fewest = steps
				}
			}
			if fewest > wrong.steps || fewest == 0 && wrong.steps > 0 {
				t.Errorf("%d steps show it, want %d or fewer\n%s", fewest, wrong.steps, c.Message)
			}
		})
	}
}

// only is the one case.
func only(t *testing.T, result *report.ConformanceReport) report.Case {
	t.Helper()
	if len(result.Cases) != 1 {
		t.Fatalf("there are %d cases, want one", len(result.Cases))
	}
	return result.Cases[0]
}

// TestTheCaseGoesOnAfterAFailure has a driver with two faults that have nothing to do with each other.
func TestTheCaseGoesOnAfterAFailure(t *testing.T) {
	spectest.Expect(t, twice)
}

// twice are drivers that are wrong in two ways.
var twice = map[string]spectest.Expectation{
	"wrong about deleted volumes, and about deleted snapshots": {
		Driver: spectest.Driver{Fault: validatesDeleted().And(deletesSnapshotsOnce()), Target: waiving()},
		Cases:  []spectest.Case{spectest.Fails(id, "VV-03 DS-02")},
	},
	"wrong about deleted volumes, for which there is no time": {
		Driver: spectest.Driver{Fault: validatesDeleted(), Target: func(t *harness.Target) { t.Steps, t.Timeouts.Generated = steps, 1 }},
		Cases:  []spectest.Case{spectest.Passes(id)},
	},
}
