// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// slowProfile is the profile of the slow driver.
const slowProfile = `driver: hostpath.topo.csi
volumeBytes: 16777216
grownBytes: 33554432
volumes:
- accessibleFrom: 1
- accessibleFrom: 2
  parameters: {zones: "2"}
mutableParameters: {allocation: thick}
block: true
capacity: at-least
`

// BenchmarkSlowDriver runs the spec tier without csi-sanity once against a correct driver whose mutating calls take a
// second and whose other calls take 50 ms. It reports the duration, the numbers of volumes and calls, and the durations of
// the slowest cases. scripts/bench-spec.sh prints them.
func BenchmarkSlowDriver(b *testing.B) {
	for range b.N {
		driver, flags := elsewhere(b)
		counted := tally{volumes: map[string]bool{}}
		flags[1] = between(b, driver.Controller, counted.counting(slowly))
		for i, node := range driver.Nodes {
			flags[2*i+3] = between(b, node.Endpoint, counted.counting(slowly))
		}
		described := filepath.Join(b.TempDir(), "slow.yaml")
		if err := os.WriteFile(described, []byte(slowProfile), 0o600); err != nil {
			b.Fatal(err)
		}
		p := program(b, "", append([]string{"spec", "--seed", "1", "--label", "!" + sanity.Label, "--profile", described}, flags...)...)
		r := p.report(b)
		for _, c := range r.Cases {
			if c.Verdict != suite.Passed && c.Verdict != suite.Skipped {
				b.Errorf("case %s: %s %s %s", c.ID, c.Verdict, c.Reason, c.Message)
			}
		}
		const longest = 9
		slices.SortFunc(r.Cases, func(a, b report.Case) int { return cmp.Compare(b.Seconds, a.Seconds) })
		for _, c := range r.Cases[:longest] {
			b.ReportMetric(c.Seconds, c.ID+"-s")
		}
		b.ReportMetric(0, "ns/op") // ns/op is not one of the figures
		b.ReportMetric(r.Summary.Seconds, "slow-s")
		b.ReportMetric(float64(len(counted.volumes)), "slow-volumes")
		b.ReportMetric(float64(counted.calls), "slow-calls")
	}
}

// slowly answers like a driver of a slow back end.
func slowly(ctx context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
	takes := 50 * time.Millisecond
	if mutates(string(request.ProtoReflect().Descriptor().Name())) {
		takes = time.Second
	}
	select {
	case <-time.After(takes):
		return perform()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// mutates reports whether requests with this name change something.
func mutates(request string) bool {
	for _, asks := range []string{"Get", "List", "Probe", "Validate"} {
		if strings.Contains(request, asks) {
			return false
		}
	}
	return true
}

// tally counts the calls of a run to a driver, recorded or not, and the volumes that they created.
type tally struct {
	mu      sync.Mutex
	calls   int
	volumes map[string]bool
}

// counting returns the handler, and counts its calls.
func (t *tally) counting(handle handler) handler {
	return func(ctx context.Context, request proto.Message, perform func() (proto.Message, error)) (proto.Message, error) {
		answer, err := handle(ctx, request, perform)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.calls++
		if made, isVolume := answer.(*csi.CreateVolumeResponse); err == nil && isVolume {
			t.volumes[made.GetVolume().GetVolumeId()] = true
		}
		return answer, err
	}
}
