// SPDX-License-Identifier: Apache-2.0

package benchmark_test

import (
	"slices"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// TestPopulationStaysAsItIs checks that every measured call returns OK, and that the number of volumes is unchanged in
// the end.
func TestPopulationStaysAsItIs(t *testing.T) {
	const volumes, callers, callsEach = 20, 4, 3
	var p Population
	if err := p.Fill(Filling{Dir: t.TempDir(), Kind: volume.Image, Volumes: volumes}, nil); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.store.Close() }()
	for name := range rpcs {
		t.Run(name, func(t *testing.T) {
			var took []time.Duration
			if err := p.Measure(Batch{RPC: name, Callers: callers, CallsEach: callsEach}, &took); err != nil {
				t.Fatal(err)
			}
			if unmeasured := slices.Index(took, 0); len(took) != callers*callsEach || unmeasured >= 0 {
				t.Errorf("%d calls took %v, want %d of which each took its time", len(took), took, callers*callsEach)
			}
			if err := p.Restore(struct{}{}, nil); err != nil {
				t.Fatal(err)
			}
			list, err := p.controller.ListVolumes(t.Context(), &csi.ListVolumesRequest{})
			if err != nil {
				t.Fatal(err)
			}
			var published int
			for _, entry := range list.GetEntries() {
				published += len(entry.GetStatus().GetPublishedNodeIds())
			}
			if len(list.GetEntries()) != volumes || published != volumes/publishedOf {
				t.Errorf("there are %d volumes, published %d times, want %d and %d", len(list.GetEntries()), published, volumes, volumes/publishedOf)
			}
		})
	}
}
