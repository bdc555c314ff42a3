// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/data"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// create creates the volumes.
func (c *company) create(ctx context.Context, volumes []*volume) {
	c.atOnce(ctx, turn{volumes, c.creating})
	names := map[string]string{}
	for _, v := range volumes {
		id, name := v.is.GetVolumeId(), v.request.GetName()
		suite.Must("VOL-04", names[id] == "", "concurrent calls of CreateVolume for %s and for %s were answered with one volume: %s", names[id], name, id)
		names[id] = name
		size, least := v.is.GetCapacityBytes(), v.request.GetCapacityRange().GetRequiredBytes()
		suite.Must("CV-11", size == 0 || size >= least, "volume %s was requested with %d bytes, concurrently with others, and has %d", id, least, size)
	}
}

func (c *company) creating(ctx context.Context, v *volume) error {
	response, err := c.Controller.CreateVolume(ctx, v.request)
	v.is = response.GetVolume()
	return err
}

// attach attaches the volumes while CreateVolume is repeated for each, and then attaches them once more.
func (c *company) attach(ctx context.Context, volumes []*volume) {
	c.atOnce(ctx, turn{volumes, c.attaching}, turn{volumes, func(ctx context.Context, v *volume) error {
		response, err := c.Controller.CreateVolume(ctx, v.request)
		v.again = response.GetVolume()
		return err
	}})
	for _, v := range volumes {
		suite.Must("CV-02", v.again.GetVolumeId() == v.is.GetVolumeId(), "CreateVolume of %s was answered with volume %s, and when it was repeated concurrently with others, with volume %s",
			v.request.GetName(), v.is.GetVolumeId(), v.again.GetVolumeId())
		suite.Must("VOL-12", maps.Equal(v.again.GetVolumeContext(), v.is.GetVolumeContext()), "volume %s was answered with volume_context %s, and with %s concurrently with others",
			v.is.GetVolumeId(), describe.Map(v.is.GetVolumeContext()), describe.Map(v.again.GetVolumeContext()))
	}
	c.atOnce(ctx, turn{volumes, c.attaching})
	expectSameContexts(volumes)
}

func (c *company) attaching(ctx context.Context, v *volume) error {
	if v.node == nil || !c.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		return nil
	}
	request := publication.AttachRequest(c.Driver, v.is, v.node)
	request.VolumeCapability = v.capability()
	response, err := c.Controller.ControllerPublishVolume(ctx, request)
	if c.alone && len(v.contexts) > 0 {
		suite.Must("CP-05", status.Code(err) != codes.AlreadyExists, "volume %s is published to %s, and the call is repeated as it was: it is OK, whatever other volumes the node has\ngot: %s", v.is.GetVolumeId(), v.node, describe.Status(err))
	}
	if err == nil {
		v.contexts = append(v.contexts, response.GetPublishContext())
	}
	return err
}

func expectSameContexts(volumes []*volume) {
	for _, v := range volumes {
		for _, again := range v.contexts {
			publication.ExpectSameContext(v.contexts[0], again)
		}
	}
}

// publish stages and publishes the volumes, and writes to each.
func (c *company) publish(ctx context.Context, volumes []*volume) {
	c.choosePaths(ctx, volumes)
	c.atOnce(ctx, turn{volumes, c.staging}, turn{volumes, c.attaching})
	c.atOnce(ctx, turn{volumes, c.publishing}, turn{volumes, c.attaching})
	expectSameContexts(volumes)
	if len(c.Nodes) == 0 || !data.ShowsData(c.Driver) {
		return
	}
	for _, v := range volumes {
		data.Write(ctx, v.node, v.mounted, v.text)
	}
	c.expectOwnData(ctx, volumes, "it was written to the volume while others were published")
}

// choosePaths makes the directories at which the volumes are staged and published.
func (c *company) choosePaths(ctx context.Context, volumes []*volume) {
	for _, v := range volumes {
		if v.node == nil {
			continue
		}
		v.staged = publication.StageRequest(ctx, v.node, v.is, nil)
		if len(v.contexts) > 0 {
			v.staged.PublishContext = v.contexts[0]
		}
		v.staged.VolumeCapability = v.capability()
		v.mounted = publication.Request(ctx, v.node, v.staged)
	}
}

func (c *company) stages(v *volume) bool {
	return v.node != nil && v.node.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
}

func (c *company) staging(ctx context.Context, v *volume) error {
	if !c.stages(v) {
		return nil
	}
	_, err := v.node.NodeStageVolume(ctx, v.staged)
	return err
}

func (c *company) publishing(ctx context.Context, v *volume) error {
	if v.node == nil {
		return nil
	}
	_, err := v.node.NodePublishVolume(ctx, v.mounted)
	if err == nil || !c.alone || !c.stages(v) {
		return err
	}
	return c.expectStaged(ctx, v)
}

// expectStaged publishes a volume whose publication was refused twice, concurrently with others and alone. It fails the
// case if the volume is published only after NodeStageVolume, which was OK concurrently with others, was repeated.
func (c *company) expectStaged(ctx context.Context, v *volume) error {
	_, refused := v.node.NodePublishVolume(ctx, v.mounted)
	if refused == nil {
		return nil
	}
	if _, err := v.node.NodeStageVolume(ctx, v.staged); err != nil {
		return refused
	}
	_, err := v.node.NodePublishVolume(ctx, v.mounted)
	suite.Must(data.Clause(v.mounted), err != nil, "NodeStageVolume of volume %s, concurrently with others, was answered OK, and NodePublishVolume is refused whenever it is called: %s\nOnce NodeStageVolume was repeated, NodePublishVolume is OK: the volume was not staged",
		v.is.GetVolumeId(), describe.Status(refused))
	return err
}

// expectOwnData reads each volume, and expects its data.
func (c *company) expectOwnData(ctx context.Context, volumes []*volume, why string) {
	if len(c.Nodes) == 0 || !data.ShowsData(c.Driver) {
		return
	}
	for _, v := range volumes {
		clause := data.Clause(v.mounted)
		if v.request.GetVolumeContentSource() != nil {
			clause = "VS-02"
		}
		got := data.Read(ctx, v.node, v.mounted)
		suite.Must(clause, got == v.text, "volume %s, which %s has published at %s, has %q and should have %q: %s", v.is.GetVolumeId(), v.node, v.mounted.GetTargetPath(), got, v.text, why)
	}
}

// change grows some of the volumes while snapshots of the others are taken, and then restores the snapshots while the
// file systems of the former grow. It returns the copies.
func (c *company) change(ctx context.Context, volumes []*volume) (copies []*volume) {
	var growing, kept []*volume
	requests, seconds := map[*volume]*csi.CreateSnapshotRequest{}, map[*volume]*csi.CreateSnapshotRequest{}
	for i, v := range volumes {
		if (i%mostNodes == 0) == (i < plain) { // so that several of one kind are on one node
			kept = append(kept, v)
			requests[v], seconds[v] = snapshots.CreateRequest(c.Driver, v.is), snapshots.CreateRequest(c.Driver, v.is)
		} else {
			growing = append(growing, v)
		}
	}
	if !c.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME) || len(c.Nodes) > 0 && !c.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE) {
		growing = nil
	}
	if !c.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
		kept = nil
	}
	c.atOnce(ctx, turn{growing, c.grow}, turn{kept, func(ctx context.Context, v *volume) error {
		response, err := c.Controller.CreateSnapshot(ctx, requests[v])
		v.snapshot = response.GetSnapshot()
		return unlessInUse(err) // a driver may not copy a volume that is published
	}}, turn{kept, func(ctx context.Context, v *volume) error {
		response, err := c.Controller.CreateSnapshot(ctx, seconds[v])
		if status.Code(err) == codes.ResourceExhausted { // not every driver takes two
			return nil
		}
		v.second = response.GetSnapshot()
		return unlessInUse(err)
	}})
	expectOwnSnapshots(kept)
	for _, v := range kept {
		if v.snapshot == nil {
			continue
		}
		again := v.snapshot
		if !again.GetReadyToUse() {
			again = snapshots.NeedReady(ctx, c.Driver, requests[v])
		}
		suite.Must("CS-03", again.GetSnapshotId() == v.snapshot.GetSnapshotId(), "CreateSnapshot of %s, concurrently with others, was answered with snapshot %s, and with %s when it was repeated",
			requests[v].GetName(), v.snapshot.GetSnapshotId(), again.GetSnapshotId())
		copies = append(copies, c.copyOf(v))
	}
	c.atOnce(ctx, turn{growing, growOnNode}, turn{copies, c.creating})
	return copies
}

// expectOwnSnapshots fails the case if two of the snapshots of the volumes, which have different names, are the same.
func expectOwnSnapshots(volumes []*volume) {
	of := map[string]string{}
	for _, v := range volumes {
		for _, snapshot := range []*csi.Snapshot{v.snapshot, v.second} {
			id := snapshot.GetSnapshotId()
			suite.Must("SN-06", id == "" || of[id] == "", "concurrent calls of CreateSnapshot for volume %s and for volume %s, with different names, were answered with one snapshot: %s", of[id], v.is.GetVolumeId(), id)
			of[id] = v.is.GetVolumeId()
		}
	}
}

// grow grows a volume. There may be no room for that, so that the size stays.
func (c *company) grow(ctx context.Context, v *volume) error {
	request := growth.ControllerRequest(c.Driver, v.is, growth.Size(c.Driver))
	request.VolumeCapability = v.capability()
	response, err := c.Controller.ControllerExpandVolume(ctx, request)
	switch status.Code(err) {
	case codes.OK:
		v.grown = response
	case codes.OutOfRange, codes.ResourceExhausted:
		return nil
	}
	return err
}

func growOnNode(ctx context.Context, v *volume) error {
	if v.node == nil || !v.grown.GetNodeExpansionRequired() || !v.node.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) {
		return nil
	}
	_, err := v.node.NodeExpandVolume(ctx, growth.NodeRequest(v.node, v.mounted, v.grown.GetCapacityBytes()))
	return err
}

// copyOf returns a volume that is restored from the snapshot of another one, on the node of that one.
func (c *company) copyOf(v *volume) *volume {
	asked := c.Volume(1)
	if v.node != nil {
		asked = c.VolumeFor(v.node)
	}
	restored := &volume{node: v.node, text: v.text, request: c.CreateVolumeRequest(asked.OfBytes(max(c.Size(), v.is.GetCapacityBytes(), v.snapshot.GetSizeBytes())))}
	restored.request.VolumeContentSource = messages.FromSnapshot(v.snapshot.GetSnapshotId())
	restored.request.VolumeCapabilities = v.request.GetVolumeCapabilities()
	return restored
}

// expectOwnSize reads each volume, and expects its size. Some have grown.
func (c *company) expectOwnSize(ctx context.Context, volumes []*volume) {
	if !c.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME) {
		return
	}
	c.atOnce(ctx, turn{volumes, func(ctx context.Context, v *volume) error {
		response, err := c.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: v.is.GetVolumeId()})
		v.again = response.GetVolume()
		return err
	}})
	for _, v := range volumes {
		id, size := v.again.GetVolumeId(), v.again.GetCapacityBytes()
		suite.Must("LV-15", id == v.is.GetVolumeId(), "ControllerGetVolume of volume %s, concurrently with others, was answered with volume %s", v.is.GetVolumeId(), id)
		if v.grown != nil {
			least := max(v.grown.GetCapacityBytes(), growth.Size(c.Driver))
			suite.Must("CE-13", size == 0 || size >= least, "volume %s has grown to %d bytes while other volumes grew, and has %d", id, least, size)
		} else if told := v.is.GetCapacityBytes(); told > 0 {
			suite.Should(ctx, "LV-15", size == 0 || size == told, "volume %s of %d bytes has %d now that others have grown", id, told, size)
		}
	}
}

// exchange takes the volumes from the nodes while the copies are brought there.
func (c *company) exchange(ctx context.Context, volumes, copies []*volume) {
	c.expectOwnData(ctx, volumes, "it was written to the volume before others grew and were copied")
	c.atOnce(ctx, turn{volumes, c.unpublishing}, turn{copies, c.attaching})
	c.choosePaths(ctx, copies)
	c.atOnce(ctx, turn{volumes, c.unstaging}, turn{copies, c.staging})
	c.atOnce(ctx, turn{volumes, c.detaching}, turn{copies, c.publishing})
	c.expectOwnData(ctx, copies, "it was restored, concurrently with others, from a snapshot of a volume with this data")
}

func (c *company) unpublishing(ctx context.Context, v *volume) error {
	if v.node == nil {
		return nil
	}
	_, err := v.node.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: v.is.GetVolumeId(), TargetPath: v.mounted.GetTargetPath()})
	return err
}

func (c *company) unstaging(ctx context.Context, v *volume) error {
	if !c.stages(v) {
		return nil
	}
	_, err := v.node.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: v.is.GetVolumeId(), StagingTargetPath: v.staged.GetStagingTargetPath()})
	return err
}

func (c *company) detaching(ctx context.Context, v *volume) error {
	if v.node == nil || !c.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
		return nil
	}
	_, err := c.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(c.Driver, v.is, v.node))
	return err
}

// end takes the copies away while the snapshots are deleted, and deletes everything. Objects that a driver keeps while
// copies of them exist are left to the clean-up after the case.
func (c *company) end(ctx context.Context, volumes, copies []*volume) {
	deletingSnapshot := func(of func(v *volume) *csi.Snapshot) step {
		return func(ctx context.Context, v *volume) error {
			if of(v) == nil {
				return nil
			}
			_, err := c.Controller.DeleteSnapshot(ctx, snapshots.DeleteRequest(c.Driver, of(v)))
			return unlessInUse(err)
		}
	}
	c.atOnce(ctx, turn{copies, c.unpublishing}, turn{volumes, deletingSnapshot(func(v *volume) *csi.Snapshot { return v.snapshot })},
		turn{volumes, deletingSnapshot(func(v *volume) *csi.Snapshot { return v.second })})
	c.atOnce(ctx, turn{copies, c.unstaging})
	c.atOnce(ctx, turn{copies, c.detaching})
	deleting := func(ctx context.Context, v *volume) error {
		_, err := c.Controller.DeleteVolume(ctx, deletion.Request(c.Driver, v.is))
		return unlessInUse(err)
	}
	c.atOnce(ctx, turn{copies, deleting}, turn{volumes, deleting})
}

// unlessInUse returns the error of a call, or nil if the driver answers that the present state, such as being in use,
// does not allow the call.
func unlessInUse(err error) error {
	if status.Code(err) == codes.FailedPrecondition {
		return nil
	}
	return err
}
