// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// TestWhatADeviationMakesIsDeleted checks that an object that a driver creates for a request that it had to refuse belongs
// to the run, and is deleted.
func TestWhatADeviationMakesIsDeleted(t *testing.T) {
	capability := &csi.VolumeCapability{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}
	for _, c := range []struct{ name, focus string }{
		{"a volume without capabilities", "CreateVolume should fail when no volume capabilities are provided"},
		{"a volume of a name that has another size", "should fail when requesting to create a volume with already existing name and different capacity"},
		{"a second snapshot of a name", "should fail when requesting to create a snapshot with already existing name and different source volume ID"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			volumes, there, made := map[string]*csi.Volume{}, map[string]bool{}, 0
			note := func(id string) {
				mu.Lock()
				defer mu.Unlock()
				there[id] = true
				made++
			}
			gone := func(id string) {
				mu.Lock()
				defer mu.Unlock()
				delete(there, id)
			}
			result := runOn(t, mutation.Driver{
				Focus:  c.focus,
				Target: func(target *harness.Target) { target.Profile.Exclusive = false },
				Fault: mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
					if len(r.GetVolumeCapabilities()) == 0 {
						r.VolumeCapabilities = []*csi.VolumeCapability{capability}
					}
					mu.Lock()
					before := volumes[r.GetName()]
					mu.Unlock()
					if before != nil {
						return &csi.CreateVolumeResponse{Volume: before}, nil
					}
					response, err := right.CreateVolume(ctx, r)
					if err == nil {
						mu.Lock()
						volumes[r.GetName()] = response.GetVolume()
						mu.Unlock()
						note(response.GetVolume().GetVolumeId())
					}
					return response, err
				}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
					response, err := right.DeleteVolume(ctx, r)
					if err == nil {
						gone(r.GetVolumeId())
					}
					return response, err
				})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
					r.Name += " of " + r.GetSourceVolumeId()
					response, err := right.CreateSnapshot(ctx, r)
					if err == nil {
						note(response.GetSnapshot().GetSnapshotId())
					}
					return response, err
				})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
					response, err := right.DeleteSnapshot(ctx, r)
					if err == nil {
						gone(r.GetSnapshotId())
					}
					return response, err
				})),
			})
			failed := 0
			for _, one := range result.Cases {
				if one.Verdict == suite.Failed {
					failed++
				}
			}
			if failed != 1 || made == 0 || len(there) > 0 {
				t.Errorf("%d cases failed, want 1; %d things were made, and %v are left", failed, made, slices.Collect(maps.Keys(there)))
			}
		})
	}
}
