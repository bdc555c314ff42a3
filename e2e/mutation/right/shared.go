// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

func sharedBackEnds() []Driver {
	return []Driver{
		{Name: "others-on-the-back-end",
			Is:     "shares its back end with others, which create and delete volumes and snapshots all the time, and lists those",
			Given:  []Endpoints{All, Controller}, // with nodes and without, the suite can only watch the state of the driver
			Driver: mutation.Driver{Profile: sharedDisks, Fault: mutation.OnAll((&others{}).work)}},
		{Name: "late-lists",
			Is: "lists new objects only after a while, and deleted objects even longer: the lists are read from an inventory of the cloud",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&inventory{}).fault(), Target: func(t *harness.Target) {
				t.Timeouts.Settle = 4 * forgets
			}}},
	}
}

// others simulates another cluster on the same back end: it makes calls between any two calls of the suite, in the
// same order in each run.
type others struct {
	mu        sync.Mutex
	turn      int
	volumes   []string // oldest first
	snapshots []string
}

func (o *others) work(ctx context.Context, right mutation.Right, call mutation.Call) (proto.Message, error) {
	if strings.HasPrefix(call.Method, "/csi.v1.Controller/") {
		o.step(ctx, right)
	}
	return call.Perform(ctx)
}

// step makes one call. It does not repeat a call that is refused because there is no room.
func (o *others) step(ctx context.Context, right mutation.Right) {
	o.mu.Lock()
	defer o.mu.Unlock()
	const keptVolumes, keptSnapshots = 4, 2
	o.turn++
	switch {
	case o.turn%2 == 0 && len(o.snapshots) > keptSnapshots:
		if _, err := right.DeleteSnapshot(ctx, &csi.DeleteSnapshotRequest{SnapshotId: o.snapshots[0]}); err == nil {
			o.snapshots = o.snapshots[1:]
		}
	case o.turn%2 == 0 && len(o.volumes) > keptVolumes:
		if _, err := right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: o.volumes[0]}); err == nil {
			o.volumes = o.volumes[1:]
		}
	case o.turn%3 == 0 && len(o.volumes) > 0:
		o.snapshot(ctx, right)
	default:
		o.create(ctx, right)
	}
}

func (o *others) create(ctx context.Context, right mutation.Right) {
	zones := []string{"Z2", "Z3", "Z4", "Z5"}
	response, err := right.CreateVolume(ctx, &csi.CreateVolumeRequest{
		Name:          fmt.Sprintf("of-others-%d", o.turn),
		CapacityRange: &csi.CapacityRange{RequiredBytes: mutation.SmallestVolume * int64(1+o.turn%3)},
		VolumeCapabilities: []*csi.VolumeCapability{{
			AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
			AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		}},
		AccessibilityRequirements: &csi.TopologyRequirement{Requisite: []*csi.Topology{mutation.Zone(zones[o.turn%len(zones)])}},
	})
	if err == nil {
		o.volumes = append(o.volumes, response.GetVolume().GetVolumeId())
	}
}

func (o *others) snapshot(ctx context.Context, right mutation.Right) {
	response, err := right.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{
		Name: fmt.Sprintf("of-others-%d", o.turn), SourceVolumeId: o.volumes[len(o.volumes)-1],
	})
	if err == nil {
		o.snapshots = append(o.snapshots, response.GetSnapshot().GetSnapshotId())
	}
}
