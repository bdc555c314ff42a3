// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/mutation/groupsnapshot"
	"github.com/csi-topo/csi-topo/e2e/mutation/metadata"
)

func snapshotting() []Driver {
	return []Driver{
		{Name: "snapshots-ready-later", Is: "cuts a snapshot at once, and has it ready to use when it has been copied",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&copying{since: map[string]time.Time{}}).fault()}},
		{Name: "one-snapshot-of-a-volume", Is: "takes one snapshot of a volume at a time",
			Driver: mutation.Driver{Profile: disks, Fault: (&oneSnapshot{}).fault()}},
		{Name: "groups-of-snapshots",
			Is:     "treats the snapshots of a group like any others: its lists do not show the group, and each can be deleted alone",
			Driver: mutation.Driver{Profile: exactDisks, Fault: groupsnapshot.Composed(true)}},
		{
			Name: "careful-groups",
			Is: "takes group snapshots of volumes in one zone only, which are ready to use when the call is repeated, and does not delete them while volumes " +
				"restored from them exist",
			Driver: mutation.Driver{Profile: exactDisks, Fault: groupsnapshot.Careful()},
		},
		{Name: "blocks-of-one-size", Is: "reports blocks of one MiB in SnapshotMetadata, a few in a message",
			Driver: mutation.Driver{Profile: exactDisks, Fault: metadata.FixedLength()}},
		{
			Name: "no-snapshots", Is: "has neither snapshots nor clones, and lists nothing",
			Driver: mutation.Driver{Profile: exactDisks, Fault: mutation.Lacking(
				csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
				csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS,
				csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
				csi.ControllerServiceCapability_RPC_CLONE_VOLUME,
				csi.ControllerServiceCapability_RPC_LIST_VOLUMES,
				csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES,
				csi.ControllerServiceCapability_RPC_GET_VOLUME,
				csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)},
		},
	}
}

// copies is the time that copying a snapshot takes.
const copies = 20 * time.Millisecond

// copying simulates a driver whose snapshots are not ready at once.
type copying struct {
	mu    sync.Mutex
	since map[string]time.Time // when each snapshot was cut
}

func (c *copying) fault() mutation.Fault {
	return mutation.Answering(func(_ *csi.CreateSnapshotRequest, response *csi.CreateSnapshotResponse) {
		c.tell(response.GetSnapshot())
	}).
		And(mutation.Answering(func(_ *csi.GetSnapshotRequest, response *csi.GetSnapshotResponse) { c.tell(response.GetSnapshot()) })).
		And(mutation.Answering(func(_ *csi.ListSnapshotsRequest, response *csi.ListSnapshotsResponse) {
			for _, entry := range response.GetEntries() {
				c.tell(entry.GetSnapshot())
			}
		})).And(mutation.Checking(func(r *csi.CreateVolumeRequest) error {
		if id := r.GetVolumeContentSource().GetSnapshot().GetSnapshotId(); !c.ready(id) {
			return status.Errorf(codes.Unavailable, "snapshot %q is being copied: wait until it is ready to use", id)
		}
		return nil
	}))
}

func (c *copying) tell(snapshot *csi.Snapshot) {
	c.mu.Lock()
	if _, known := c.since[snapshot.GetSnapshotId()]; !known {
		c.since[snapshot.GetSnapshotId()] = time.Now()
	}
	c.mu.Unlock()
	snapshot.ReadyToUse = c.ready(snapshot.GetSnapshotId())
}

// ready reports whether the snapshot is ready, and true if the id is no snapshot: the driver behind refuses that.
func (c *copying) ready(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	since, known := c.since[id]
	return !known || time.Since(since) >= copies
}

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
