// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/pages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
)

// list lists the volumes, and expects everything that the sequence has made among them. It ignores
// volumes of others.
func (s *sequence) list(ctx context.Context, step Step) (outcome, error) {
	asked := "ListVolumes" + pagesOf(step)
	entries, err := listing.Entries(ctx, s.driver, step.Page)
	if pages.IsUnusable(err) || err != nil && step.Page > 0 {
		return unusable(asked, err), nil
	}
	o := outcomeOf(asked, err)
	o.ok(err, "LV-01", "all volumes are listed, with their topologies")
	if err != nil {
		return o, err
	}
	o.answered = fmt.Sprintf("OK, with %d volumes", len(entries))
	found := map[string]*csi.ListVolumesResponse_Entry{}
	for _, entry := range entries {
		id := entry.GetVolume().GetVolumeId()
		if s.deleted[id] {
			o.regret("LV-01", "volume %q is listed, and is deleted", id)
		}
		if found[id] != nil {
			o.regret("LV-01", "volume %q is listed twice", id)
		}
		found[id] = entry
	}
	for _, v := range s.volumes {
		if v.exists && !v.forgotten {
			s.compareListed(&o, v, found[v.id])
		}
	}
	return o, nil
}

// pagesOf describes how many entries the pages of the step's list have.
func pagesOf(step Step) string {
	if step.Page == 0 {
		return ""
	}
	return fmt.Sprintf(" in pages, max_entries = %d", step.Page)
}

// unusable returns the outcome of a list that must not be used, which the cases about lists judge.
func unusable(asked string, err error) outcome {
	o := outcomeOf(asked, nil)
	o.answered = "not used: " + err.Error()
	return o
}

// compareListed compares a volume with its entry in a list, nil if it has none.
func (s *sequence) compareListed(o *outcome, v *volume, listed *csi.ListVolumesResponse_Entry) {
	if listed == nil {
		o.wrong("LV-01", "%s, volume %q, exists and is not listed", v.name, v.id)
		return
	}
	o.compareTold(v, listed.GetVolume(), "LV-08")
	if listed.GetStatus() == nil && s.driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
		o.wrong("LV-10", "LIST_VOLUMES_PUBLISHED_NODES is claimed, and the entry of %s has no status", v.name)
		return
	}
	s.comparePublished(o, v, listed.GetStatus().GetPublishedNodeIds(), "LV-10")
}

// isListedGone reports whether ListVolumes shows that a deleted volume is gone.
func (s *sequence) isListedGone(ctx context.Context, v *volume) bool {
	if !s.driver.ListsVolumes() {
		return false
	}
	listed, err := listing.Volumes(ctx, s.driver)
	return err == nil && !slices.ContainsFunc(listed, func(l *csi.Volume) bool { return l.GetVolumeId() == v.id })
}

// get reads one volume.
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
	o.compareTold(v, got.GetVolume(), "LV-15")
	s.comparePublished(o, v, got.GetStatus().GetPublishedNodeIds(), "LV-14")
}

// getSnapshot reads one snapshot.
func (s *sequence) getSnapshot(ctx context.Context, snap *snapshot) (outcome, error) {
	response, err := s.driver.Controller.GetSnapshot(ctx, snapshots.GetRequest(s.driver, &csi.Snapshot{SnapshotId: snap.id}))
	o := outcomeOf("GetSnapshot of "+snap.name, err)
	if !snap.exists {
		o.state = "the snapshot is deleted"
		o.betterRefused(err, "GS-02", "a snapshot that does not exist is NOT_FOUND", codes.NotFound)
		return o, err
	}
	o.ok(err, "GS-01", "the snapshot exists")
	if changes := messages.Changes(response.GetSnapshot(), snap.taken); err == nil && len(changes) > 0 {
		o.wrong("GS-01", "the snapshot is as CreateSnapshot answered it, but %s", strings.Join(changes, "; "))
	}
	return o, err
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
		case len(confirmed.GetVolumeContext()) > 0 && !maps.Equal(confirmed.GetVolumeContext(), v.context):
			o.wrong("VOL-12", "a volume always reports the same volume_context, which was %s, and is confirmed as %s", describe.Map(v.context), describe.Map(confirmed.GetVolumeContext()))
		}
		return o
	}).needing(v)
}

func (s *sequence) validation(v *volume, capability *csi.VolumeCapability) *csi.ValidateVolumeCapabilitiesRequest {
	return validation.Request(s.driver, v.message(), capability)
}

// listOfSnapshots lists the one snapshot of the step, or the snapshots of its volume, or all.
func (s *sequence) listOfSnapshots(step Step) (c call, meant bool) {
	request := &csi.ListSnapshotsRequest{Secrets: s.driver.Profile().Secrets.ListSnapshots, MaxEntries: step.Page}
	asked := "ListSnapshots" + pagesOf(step)
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
		if pages.IsUnusable(err) || err != nil && step.Page > 0 {
			return unusable(asked, err), nil
		}
		o := outcomeOf(asked, err)
		o.ok(err, "LS-01", "all snapshots within the parameters are listed")
		if err == nil {
			listed := map[string]*csi.Snapshot{}
			for _, one := range all {
				if listed[one.GetSnapshotId()] != nil {
					o.regret("LS-01", "snapshot %q is listed twice", one.GetSnapshotId())
				}
				listed[one.GetSnapshotId()] = one
			}
			o.answered = fmt.Sprintf("OK, with %d snapshots", len(listed))
			s.compareSnapshots(&o, listed, within)
		}
		return o, err
	}), true
}

// compareSnapshots compares the list with the snapshots of the sequence. It ignores snapshots of
// others.
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
		case len(messages.Changes(one, snap.taken)) > 0:
			o.wrong("LS-01", "%s is listed as CreateSnapshot answered it, but %s", snap.name, strings.Join(messages.Changes(one, snap.taken), "; "))
		}
	}
}
