// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
)

// snapshot tracks one name of a snapshot, and the last snapshot that had it.
type snapshot struct {
	name string
	form Form
	// id is the snapshot's id; it stays when the snapshot is deleted, and is empty if there never was one.
	id            string
	exists, ready bool
	// volume and volumeID identify the volume of the snapshot, and of is the wish that it was created for.
	volume   *volume
	volumeID string
	of       wish
	// bytes is the size that a volume needs for it, and segments are the segments where it can certainly be used.
	bytes    int64
	segments model.Set
	// copied reports that a volume was created from it, and booked that the sequence has taken it into account.
	copied, booked bool
	// taking is the call that took it, and taken its answer.
	taking *csi.CreateSnapshotRequest
	taken  *csi.Snapshot
	// holds is the text that the volume had; empty if it is not known. cut is the step that took the snapshot.
	holds string
	cut   int
}

func (s *sequence) callOfSnapshots(step Step) (c call, meant bool) {
	snap := s.snapshots[step.Snapshot]
	switch {
	case step.Move == ListSnapshots:
		return s.listOfSnapshots(step)
	case step.Move == GetSnapshot:
		if snap == nil || snap.id == "" {
			return call{}, false
		}
		return lookOf(func(ctx context.Context) (outcome, error) { return s.getSnapshot(ctx, snap) }), true
	case step.Move == DeleteSnapshot:
		if snap == nil || snap.id == "" {
			return call{}, false
		}
		return s.deleteSnapshot(snap), true
	case s.volume(step).id == "" || s.volume(step).forgotten:
		return call{}, false
	}
	if snap == nil {
		twin := ""
		if other := s.snapshots[step.Twin]; other != nil {
			twin = other.name
		}
		snap = &snapshot{name: s.name(step.Form, twin), form: step.Form}
		s.snapshots[step.Snapshot] = snap
	}
	return s.takeSnapshot(snap, s.volume(step)), true
}

// takeSnapshot takes a snapshot of the volume under a name that another one may have.
func (s *sequence) takeSnapshot(snap *snapshot, v *volume) call {
	request := snapshots.CreateRequest(s.driver, v.message())
	request.Name = snap.name
	c := callOf(s.driver.Controller.CreateSnapshot, request, func(_ context.Context, response *csi.CreateSnapshotResponse, err error) outcome {
		o := outcomeOf("CreateSnapshot "+snap.name+" of "+v.name, err)
		s.judgeTaking(&o, snap, v, err)
		if err == nil {
			s.judgeSnapshot(&o, snap, v, response.GetSnapshot())
			s.noteSnapshot(snap, v, response.GetSnapshot(), request)
		}
		return o
	})
	if !snap.exists {
		c = c.needing(v)
	}
	c.volume, c.snapshot = v, snap
	return c
}

func (s *sequence) judgeTaking(o *outcome, snap *snapshot, v *volume, err error) {
	// The driver decides how many snapshots a volume, a volume in use, and a copy may have.
	plain := !v.copied && !v.isBusy() && v.is.use == Plain && v.is.source == nil && snap.form == Usual
	switch {
	case snap.exists && snap.volumeID != v.id:
		o.state = "the name has a snapshot of " + snap.volume.name
		if v.exists {
			// There may be no room for a snapshot either: if two rows hold, neither takes precedence.
			o.refused(err, "CS-18", "the name has a snapshot of another volume", append(s.withoutSpace(v), codes.AlreadyExists)...)
		} else {
			o.refused(err, "CS-17", "the name has a snapshot of another volume, and this one is deleted")
		}
	case snap.exists && !v.exists:
		o.state = "the name has a snapshot of the volume, and the volume is deleted"
		o.open()
	case snap.exists:
		o.state = "the name has a snapshot of the volume"
		o.ok(err, "CS-03", "the snapshot of the name satisfies the request")
	case v.exists && snap.id == "" && status.Code(err) == codes.AlreadyExists:
		o.ok(err, "CS-18", "ALREADY_EXISTS is for a name that has a snapshot of another volume, and this one has none")
	case !v.exists:
		o.state = "the volume is deleted"
		o.betterRefused(err, "CS-17", "the volume of the snapshot does not exist")
	case plain:
		o.ok(err, "CS-22", "a plugin that claims CREATE_DELETE_SNAPSHOT takes snapshots, while it has room", codes.ResourceExhausted)
	case v.isBusy():
		o.betterOK(err, "CS-22", "a plugin that claims CREATE_DELETE_SNAPSHOT takes snapshots, while it has room and the volume may be in use",
			codes.ResourceExhausted, codes.FailedPrecondition)
	default:
		o.betterOK(err, "CS-22", "a plugin that claims CREATE_DELETE_SNAPSHOT takes snapshots, while it has room", codes.ResourceExhausted)
	}
}

// withoutSpace returns the code for a snapshot for which there may be no space, and none if there is as much as the size of
// its volume.
func (s *sequence) withoutSpace(v *volume) []codes.Code {
	if s.room.told && !s.together && s.room.knows(v.segments) && s.room.least(v.segments) >= v.bytes {
		return nil
	}
	return []codes.Code{codes.ResourceExhausted}
}

// judgeSnapshot records the faults of the snapshot in an answer.
func (s *sequence) judgeSnapshot(o *outcome, snap *snapshot, v *volume, got *csi.Snapshot) {
	if got.GetSnapshotId() == "" {
		o.wrong("SN-01", "snapshot_id is set")
	}
	if got.GetSourceVolumeId() != v.id {
		o.wrong("SN-02", "source_volume_id must be the volume's, %q, and is %q", v.id, got.GetSourceVolumeId())
	}
	if taken := got.GetCreationTime(); !taken.IsValid() || taken.GetSeconds() <= 0 {
		o.wrong("SN-03", "creation_time is set, and is {%s}", taken)
	}
	if got.GetSizeBytes() < 0 {
		o.wrong("SN-04", "size_bytes must not be negative, and is %d", got.GetSizeBytes())
	}
	switch {
	case !snap.exists:
	case got.GetSnapshotId() != snap.id:
		o.wrong("CS-03", "the snapshot of the name exists as %q, and the answer is %q", snap.id, got.GetSnapshotId())
	case len(messages.Changes(got, snap.taken)) > 0:
		o.wrong("CS-03", "the same call is answered with the same snapshot, but %s", strings.Join(messages.Changes(got, snap.taken), "; "))
	case snap.ready && !got.GetReadyToUse():
		o.regret("CS-03", "the snapshot was ready to use, and is not any more")
	}
	for _, other := range s.snapshots {
		if other != snap && other.exists && other.id == got.GetSnapshotId() {
			o.wrong("CS-03", "one name is one snapshot, and %q belongs to %s", other.id, other.name)
		}
	}
}

// noteSnapshot records the snapshot of an OK answer.
func (s *sequence) noteSnapshot(snap *snapshot, v *volume, got *csi.Snapshot, request *csi.CreateSnapshotRequest) {
	snap.ready = got.GetReadyToUse()
	if snap.exists {
		return
	}
	v.copied = true
	*snap = snapshot{
		name: snap.name, form: snap.form, cut: len(s.done), id: got.GetSnapshotId(), exists: true, ready: snap.ready, taking: request, taken: got, volume: v, volumeID: v.id, of: v.is,
		bytes: max(got.GetSizeBytes(), v.bytes), segments: v.segments,
	}
	if !v.isUsed() {
		snap.holds = v.holds // while the volume is in use, the data may not be in its file system yet
	}
	if usable := messages.Segments(got.GetAccessibleTopology()); len(usable) > 0 {
		snap.segments = s.room.segments().StandingFor(usable)
	}
}

// isReady reports whether the snapshot is ready to use, and waits a while for that. A snapshot that is not ready is not a
// failure.
func (s *sequence) isReady(ctx context.Context, snap *snapshot) bool {
	ask := func() bool {
		if snap.volume.id == snap.volumeID && snap.volume.exists {
			response, err := s.driver.Controller.CreateSnapshot(ctx, snap.taking)
			snap.ready = snap.ready || err == nil && response.GetSnapshot().GetReadyToUse()
		}
		return snap.ready
	}
	return snap.ready || s.driver.Settled(ctx, effect.Ready, ask)
}

// deleteSnapshot deletes a snapshot, and expects OK if it is deleted already. Volumes that were created from a snapshot
// may use it.
func (s *sequence) deleteSnapshot(snap *snapshot) call {
	request := snapshots.DeleteRequest(s.driver, &csi.Snapshot{SnapshotId: snap.id})
	c := callOf(s.driver.Controller.DeleteSnapshot, request, func(_ context.Context, _ *csi.DeleteSnapshotResponse, err error) outcome {
		o := outcomeOf("DeleteSnapshot of "+snap.name, err)
		switch {
		case !snap.exists:
			o.state = "the snapshot is deleted already"
			o.ok(err, "DS-02", "a snapshot that does not exist is as good as deleted")
		case snap.copied:
			o.state = "a volume was created from the snapshot"
			o.ok(err, "DS-04", "the snapshot is deleted, or in use by the volume", codes.FailedPrecondition)
		case !snap.ready:
			o.state = "the snapshot is not ready to use yet"
			o.betterOK(err, "DS-01", "the snapshot is deleted")
		default:
			o.ok(err, "DS-01", "the snapshot is deleted")
		}
		if err == nil {
			snap.exists = false
		}
		return o
	})
	c.snapshot = snap
	return c
}
