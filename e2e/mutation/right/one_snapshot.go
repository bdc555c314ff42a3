// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// oneSnapshot simulates a back end that keeps one snapshot of a volume at a time.
type oneSnapshot struct {
	mu      sync.Mutex
	names   map[string]string // the name of the snapshot of each volume
	volumes map[string]string // the volume of each snapshot
}

func (o *oneSnapshot) fault() mutation.Fault {
	o.names, o.volumes = map[string]string{}, map[string]string{}
	return mutation.On(o.create).And(mutation.On(o.delete)).Over(mutation.Lacking(csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE))
}

// create refuses a second snapshot of a volume with RESOURCE_EXHAUSTED. Errors in the request take precedence.
func (o *oneSnapshot) create(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	isKnown := r.GetName() == "" || slices.Contains(slices.Collect(maps.Values(o.names)), r.GetName())
	if name, has := o.names[r.GetSourceVolumeId()]; has && !isKnown {
		return nil, status.Errorf(codes.ResourceExhausted, "the volume has the snapshot %q: delete it first", name)
	}
	response, err := right.CreateSnapshot(ctx, r)
	if err == nil {
		o.names[r.GetSourceVolumeId()] = r.GetName()
		o.volumes[response.GetSnapshot().GetSnapshotId()] = r.GetSourceVolumeId()
	}
	return response, err
}

func (o *oneSnapshot) delete(ctx context.Context, right mutation.Right, r *csi.DeleteSnapshotRequest) (*csi.DeleteSnapshotResponse, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	response, err := right.DeleteSnapshot(ctx, r)
	if err == nil {
		delete(o.names, o.volumes[r.GetSnapshotId()])
		delete(o.volumes, r.GetSnapshotId())
	}
	return response, err
}
