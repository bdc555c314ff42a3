// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
)

// list lists the volumes, with all that the sequence has made among them. Volumes of others are theirs.
func (s *sequence) list(ctx context.Context) (outcome, error) {
	listed, err := listing.Volumes(ctx, s.driver)
	if pages.IsUnusable(err) {
		return unusable("ListVolumes", err), nil
	}
	o := outcomeOf("ListVolumes", err)
	o.ok(err, "LV-01", "all volumes are listed, with their topologies")
	if err != nil {
		return o, err
	}
	o.answered = fmt.Sprintf("OK, with %d volumes", len(listed))
	found := map[string]*csi.Volume{}
	for _, v := range listed {
		id := v.GetVolumeId()
		if s.deleted[id] {
			o.regret("LV-01", "volume %q is listed, and is deleted", id)
		}
		found[id] = v
	}
	for _, v := range s.volumes {
		if v.exists && !v.forgotten {
			o.compareListed(v, found[v.id])
		}
	}
	return o, nil
}

// unusable is the outcome of a list that is not to be used, which is for the cases on lists to judge.
func unusable(asked string, err error) outcome {
	o := outcomeOf(asked, nil)
	o.answered = "not used: " + err.Error()
	return o
}

// compareListed compares a volume with how it is listed, nil when it is not.
func (o *outcome) compareListed(v *volume, listed *csi.Volume) {
	if listed == nil {
		o.wrong("LV-01", "%s, volume %q, exists and is not listed", v.name, v.id)
		return
	}
	made, now := messages.Segments(v.topology), messages.Segments(listed.GetAccessibleTopology())
	if !now.Equal(made) {
		o.regret("LV-08", "CreateVolume answered that %s is accessible from %s, and it is listed with %s", v.name, made, now)
	}
}

// isListedGone reports whether ListVolumes shows that a volume which was deleted is gone.
func (s *sequence) isListedGone(ctx context.Context, v *volume) bool {
	if !s.driver.ListsVolumes() {
		return false
	}
	listed, err := listing.Volumes(ctx, s.driver)
	return err == nil && !slices.ContainsFunc(listed, func(l *csi.Volume) bool { return l.GetVolumeId() == v.id })
}

// get asks for one volume.
func (s *sequence) get(ctx context.Context, v *volume) (outcome, error) {
	response, err := s.driver.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: v.id})
	o := outcomeOf("ControllerGetVolume of "+v.name, err)
	if !v.exists {
		o.state = "the volume is deleted"
		o.betterRefused(err, "LV-13", "a volume that does not exist is NOT_FOUND", codes.NotFound)
		return o, err
	}
	o.ok(err, "LV-15", "the volume exists")
	if err == nil {
		s.compareGot(&o, v, response)
	}
	return o, err
}

func (s *sequence) compareGot(o *outcome, v *volume, got *csi.ControllerGetVolumeResponse) {
	if id := got.GetVolume().GetVolumeId(); id != v.id {
		o.wrong("LV-15", "the volume is %q, and the answer is %q", v.id, id)
	}
	if got.GetStatus() == nil {
		o.wrong("LV-19", "status is set")
	}
	switch bytes := got.GetVolume().GetCapacityBytes(); {
	case !v.told || bytes == 0 || bytes == v.bytes:
	case v.grown:
		o.wrong("CE-13", "the volume has grown to %d bytes, and has %d", v.bytes, bytes)
	default:
		o.regret("LV-15", "the volume was created with %d bytes, and has %d", v.bytes, bytes)
	}
	if !s.driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
		return
	}
	told := got.GetStatus().GetPublishedNodeIds()
	for _, a := range v.on {
		switch {
		case !a.published:
		case slices.Contains(told, a.node.ID):
			s.learned.tellsNodes = true
		case a.outlasts && s.learned.tellsNodes:
			o.wrong("CU-10", "the volume was unpublished from another node, is still published to %s, and published_node_ids are %q", a.node, told)
		default:
			o.wrong("LV-14", "the volume is published to %s, and published_node_ids are %q", a.node, told)
		}
	}
}

// validate asks whether a volume has the capability that it was created with.
func (s *sequence) validate(v *volume) call {
	request := s.validation(v, s.capability(v.is))
	return callOf(s.driver.Controller.ValidateVolumeCapabilities, request, func(_ context.Context, response *csi.ValidateVolumeCapabilitiesResponse, err error) outcome {
		o := outcomeOf("ValidateVolumeCapabilities of "+v.name, err)
		if !v.exists {
			o.state = "the volume is deleted"
			o.refused(err, "VV-03", "a volume that does not exist is NOT_FOUND", codes.NotFound)
			return o
		}
		o.ok(err, "VV-04", "a plugin implements ValidateVolumeCapabilities, and the volume exists")
		switch confirmed := response.GetConfirmed(); {
		case err != nil:
		case confirmed == nil:
			o.regret("VV-01", "the volume was created with the capability, which is not confirmed")
		case len(confirmed.GetVolumeCapabilities()) == 0:
			o.wrong("VV-02", "confirmed.volume_capabilities has what is confirmed")
		}
		return o
	}).needing(v)
}

func (s *sequence) validation(v *volume, capability *csi.VolumeCapability) *csi.ValidateVolumeCapabilitiesRequest {
	return validation.Request(s.driver, v.message(), capability)
}

// listOfSnapshots lists the one snapshot of the step, or those of its volume, or all.
func (s *sequence) listOfSnapshots(step Step) (c call, meant bool) {
	request := &csi.ListSnapshotsRequest{Secrets: s.driver.Profile().Secrets.ListSnapshots}
	asked := "ListSnapshots"
	within := func(*snapshot) bool { return true }
	switch snap := s.snapshots[step.Snapshot]; {
	case step.Snapshot > 0:
		if snap == nil || snap.id == "" {
			return call{}, false
		}
		request.SnapshotId, asked = snap.id, asked+" with the snapshot_id of "+snap.name
		within = func(one *snapshot) bool { return one.id == request.GetSnapshotId() }
	case step.Name > 0:
		v := s.volume(step)
		if v.id == "" {
			return call{}, false
		}
		request.SourceVolumeId, asked = v.id, asked+" with the source_volume_id of "+v.name
		within = func(one *snapshot) bool { return one.volumeID == request.GetSourceVolumeId() }
	}
	return lookOf(func(ctx context.Context) (outcome, error) {
		all, err := snapshots.Read(ctx, s.driver, request)
		if pages.IsUnusable(err) {
			return unusable(asked, err), nil
		}
		o := outcomeOf(asked, err)
		o.ok(err, "LS-01", "all snapshots within the parameters are listed")
		if err == nil {
			listed := map[string]*csi.Snapshot{}
			for _, one := range all {
				listed[one.GetSnapshotId()] = one
			}
			o.answered = fmt.Sprintf("OK, with %d snapshots", len(listed))
			s.compareSnapshots(&o, listed, within)
		}
		return o, err
	}), true
}

// compareSnapshots compares the list with the snapshots of the sequence. Those of others are theirs.
func (s *sequence) compareSnapshots(o *outcome, listed map[string]*csi.Snapshot, within func(*snapshot) bool) {
	for _, snap := range s.snapshots {
		switch one := listed[snap.id]; {
		case snap.id == "":
		case one == nil && snap.exists && within(snap):
			o.wrong("LS-01", "%s, snapshot %q, exists and is not listed", snap.name, snap.id)
		case one == nil:
		case !snap.exists:
			o.regret("LS-01", "snapshot %q is listed, and is deleted", snap.id)
		case !within(snap):
			o.wrong("LS-01", "%s, snapshot %q, is listed, and is not within the parameters", snap.name, snap.id)
		}
	}
}
