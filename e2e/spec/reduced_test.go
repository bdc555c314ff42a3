package spec_test

import (
	"context"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// reduced are drivers that are right and lack something, and what must be said of each: so many cases passed at least,
// and what the reasons of those that did not have in common, one of several.
var reduced = map[string]struct {
	spectest.Driver
	passed  int
	skipped []string
}{
	"a single segment": {
		Driver: options(func(o *embedded.Options) {
			o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
		}),
		passed:  275,
		skipped: []string{"topology segments, and the case needs", "node endpoints, and the case needs"},
	},
	"no topology": {
		Driver:  options(func(o *embedded.Options) { o.Lacks.Topology = true }),
		passed:  240,
		skipped: []string{"GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS", "GetPluginCapabilities does not list SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"},
	},
	"no capacity": {
		Driver:  options(func(o *embedded.Options) { o.Lacks.Capacity = true }),
		passed:  290,
		skipped: []string{"ControllerGetCapabilities does not list GET_CAPACITY"},
	},
	"no capacity, and a hook that exhausts segments": {
		Driver: spectest.Driver{
			Fault:   spectest.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY).And(spectest.On(getCapacityUnimplemented)),
			Running: exhaustByHook,
		},
		passed:  320,
		skipped: []string{"ControllerGetCapabilities does not list GET_CAPACITY"},
	},
	"no attaching": {
		Driver:  options(func(o *embedded.Options) { o.Lacks.Attach = true }),
		passed:  320,
		skipped: []string{"ControllerGetCapabilities does not list "},
	},
	"volumes with fewer keys than nodes": {
		Driver: spectest.Driver{Fault: zonesOnly()},
		passed: 350,
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) {
			for _, zone := range []string{"Z2", "Z3", "Z4", "Z5"} {
				t.Profile.Segments = append(t.Profile.Segments, map[string]string{topology.RegionKey: "R1", topology.ZoneKey: zone})
			}
			t.Nodes = nil
		}},
		passed:  250,
		skipped: []string{"there are 0 node endpoints, and the case needs"},
	},
}

// aboutLesserDrivers is the reason of a case on growth that drivers which grow volumes in use skip.
const aboutLesserDrivers = "GetPluginCapabilities lists VolumeExpansion ONLINE"

// dying is a driver that ends after so many calls.
const dying = "a driver that dies half-way"

func options(change func(*embedded.Options)) spectest.Driver {
	return spectest.Driver{Options: change}
}

func TestMain(m *testing.M) {
	drivers := map[string]spectest.Driver{dying: {Running: dieAfter(1500)}, fussy: {Fault: spectest.Refusing(particular)}}
	for name, driver := range reduced {
		drivers[name] = driver.Driver
	}
	os.Exit(spectest.Main(m, spec.Register, drivers))
}

func TestReducedDrivers(t *testing.T) {
	for name, want := range reduced {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := spectest.Run(t, name)
			for _, c := range result.Cases {
				if c.Verdict == verdict.Skipped && !containsOne(c.Reason, append(want.skipped, aboutLesserDrivers)) {
					t.Errorf("case %s is skipped: %s", c.ID, c.Reason)
				}
				if c.Verdict != verdict.Skipped && c.Verdict != verdict.Pass {
					t.Errorf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
				}
			}
			if result.Summary.Pass < want.passed {
				t.Errorf("got %+v, want at least %d passed", result.Summary, want.passed)
			}
			if got := report.ExitCode(result); got != report.ExitPassed {
				t.Errorf("exit status %d, want 0", got)
			}
			t.Logf("%d passed, %d skipped", result.Summary.Pass, result.Summary.Skip)
		})
	}
}

func TestADriverThatDies(t *testing.T) {
	result := spectest.Run(t, dying)
	sum := result.Summary
	for _, c := range result.Cases {
		if c.Verdict == verdict.Fail {
			t.Errorf("case %s: %s", c.ID, c.Message)
		}
	}
	if sum.Pass == 0 || sum.Error == 0 || sum.Fail > 0 || sum.Warn > 0 {
		t.Errorf("got %+v, want cases that passed before the driver died, errors after it, and no failure", sum)
	}
	since := map[string]int{}
	for _, c := range result.Cases {
		if c.Verdict == verdict.Error {
			since[c.Message]++
		}
	}
	// It ended in one case, and every later one names that.
	if len(since) != 2 {
		t.Errorf("want the error of one case, and one for all others, got %v", since)
	}
	for message, cases := range since {
		if cases > 1 && !strings.Contains(message, "the driver has not answered since the case ") {
			t.Errorf("%d cases end with %q", cases, message)
		}
		if cases == 1 && !containsOne(message, []string{"could not be asked", "is left in the driver", "could not be read"}) {
			t.Errorf("one case ends with %q", message)
		}
	}
	if got := report.ExitCode(result); got != report.ExitError {
		t.Errorf("exit status %d, want 2", got)
	}
}

func containsOne(text string, wanted []string) bool {
	for _, w := range wanted {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// dieAfter ends the driver at a call of its controller.
func dieAfter(calls int64) func(*embedded.Driver, *harness.Target) {
	return func(driver *embedded.Driver, target *harness.Target) {
		target.Controller = &mortal{ClientConnInterface: target.Controller, left: calls, die: sync.OnceFunc(func() { _ = driver.Stop() })}
	}
}

type mortal struct {
	grpc.ClientConnInterface
	left int64
	die  func()
}

// Invoke ends the driver before the call, when it is time.
func (m *mortal) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if atomic.AddInt64(&m.left, -1) < 0 {
		m.die()
	}
	return m.ClientConnInterface.Invoke(ctx, method, request, response, opts...)
}
