// SPDX-License-Identifier: Apache-2.0

package benchmark_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// The populations that are compared.
const (
	few  = 100
	many = 10_000
)

// callsPerTurn is the approximate number of calls to a population before the other's turn.
const callsPerTurn = 100

// BenchmarkDriver compares a driver that has many volumes with one that has few, call
// by call. b.N is the number of turns.
func BenchmarkDriver(b *testing.B) {
	for _, test := range []struct {
		kind  volume.Kind
		calls []string
	}{
		{volume.Image, []string{"CreateVolume", "DeleteVolume"}},
		// The records alone.
		{volume.InMemory, []string{"CreateVolume", "DeleteVolume", "ControllerPublishVolume", "ListVolumes", "GetCapacity"}},
	} {
		b.Run("kind="+string(test.kind), func(b *testing.B) {
			small, large := start(b, test.kind, few), start(b, test.kind, many)
			compareAll(b, small, large, test.calls)
		})
	}
}

// BenchmarkNoise compares two populations of the same size, and should find no difference.
func BenchmarkNoise(b *testing.B) {
	b.Run("kind="+string(volume.Image), func(b *testing.B) {
		first, second := start(b, volume.Image, few), start(b, volume.Image, few)
		compareAll(b, first, second, []string{"CreateVolume"})
	})
}

func compareAll(b *testing.B, small, large process, calls []string) {
	for _, name := range calls {
		for _, callers := range []int{1, 16, 100} {
			b.Run(fmt.Sprintf("%s/callers=%d", name, callers), func(b *testing.B) {
				batch := Batch{RPC: name, Callers: callers, CallsEach: callsPerTurn / callers}
				report(b, compare(b, small, large, batch))
			})
		}
	}
}

// compare lets the populations take turns. They alternate in going first, so that both find the disk in the same state
// equally often.
func compare(b *testing.B, small, large process, batch Batch) comparison {
	var c comparison
	for turn := range b.N {
		if turn%2 == 0 {
			c.small = append(c.small, small.measure(b, batch))
			c.large = append(c.large, large.measure(b, batch))
			small.restore(b)
			large.restore(b)
			continue
		}
		c.large = append(c.large, large.measure(b, batch))
		c.small = append(c.small, small.measure(b, batch))
		large.restore(b)
		small.restore(b)
	}
	return c
}

func report(b *testing.B, c comparison) {
	b.ReportMetric(0, "ns/op") // an op is a turn, whose duration is not the result
	for name, part := range map[string]float64{"p50": 0.50, "p99": 0.99} {
		b.ReportMetric(milliseconds(quantile(c.small, part)), name+"-few-ms")
		b.ReportMetric(milliseconds(quantile(c.large, part)), name+"-many-ms")
		b.ReportMetric(c.ratio(part), name+"-ratio")
		low, high := c.interval(part)
		b.ReportMetric(low, name+"-ratio-low")
		b.ReportMetric(high, name+"-ratio-high")
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
