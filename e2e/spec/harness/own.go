// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/own"
)

// claim reports whether the object with the id, which is in the answer to a creation, belongs to the run. Any other object
// is left unchanged, and named at the end of the run.
func claim(d *Driver, kind own.Kind, id string, request, response proto.Message) bool {
	a := own.Answer{
		Kind: kind, ID: id, Name: request.(interface{ GetName() string }).GetName(), Run: d.Target.Run, Sound: own.IsValid(request) && isUsual(d, request, response),
		Exclusive: d.Profile().Exclusive, Before: d.before.Volumes, Request: describeCall(creationOf[kind], request),
	}
	if r, isVolume := request.(*csi.CreateVolumeRequest); isVolume && a.Sound && r.GetVolumeContentSource() == nil {
		d.health.NoteCreated(r)
	}
	switch kind {
	case own.Snapshot:
		a.Before = d.before.Snapshots
	case own.Group:
		a.Before = nil // no call lists them
	}
	return d.health.Own.Claim(a)
}

// claimMembers claims the snapshots of a group that belongs to the run, each by the name of the group and its volume.
func claimMembers(d *Driver, r *csi.CreateVolumeGroupSnapshotRequest, members []*csi.Snapshot) {
	for _, member := range members {
		d.health.Own.Claim(own.Answer{
			Kind: own.Snapshot, ID: member.GetSnapshotId(), Name: r.GetName() + " of " + member.GetSourceVolumeId(), Run: d.Target.Run, Sound: true,
			Exclusive: d.Profile().Exclusive, Before: d.before.Snapshots, Request: describeCall(creationOf[own.Group], r),
		})
	}
}

// isUsual reports whether a request names only objects that the suite knows to exist, and the answer has the requested size:
// the answer to any other request may be any object.
func isUsual(d *Driver, request, response any) bool {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		from := r.GetVolumeContentSource()
		switch {
		case from.GetSnapshot() != nil && !d.health.Own.Keeps(own.Snapshot, from.GetSnapshot().GetSnapshotId()),
			from.GetVolume() != nil && !d.health.Own.Keeps(own.Volume, from.GetVolume().GetVolumeId()):
			return false
		}
		bytes, wanted := response.(*csi.CreateVolumeResponse).GetVolume().GetCapacityBytes(), r.GetCapacityRange()
		fits := bytes == 0 || bytes >= wanted.GetRequiredBytes() && (wanted.GetLimitBytes() == 0 || bytes <= wanted.GetLimitBytes())
		return fits && isProfiled(d.Profile(), r) && areKnown(d, r.GetAccessibilityRequirements())
	case *csi.CreateSnapshotRequest:
		return d.health.Own.Keeps(own.Volume, r.GetSourceVolumeId()) && maps.Equal(r.GetSecrets(), d.Profile().Secrets.CreateSnapshot)
	case *csi.CreateVolumeGroupSnapshotRequest:
		foreign := func(id string) bool { return !d.health.Own.Keeps(own.Volume, id) }
		return !slices.ContainsFunc(r.GetSourceVolumeIds(), foreign) && maps.Equal(r.GetSecrets(), d.Profile().Secrets.GroupSnapshot)
	default:
		return false
	}
}

// isProfiled reports whether the request has only parameters and secrets of the profile, and common file systems.
func isProfiled(p profile.Profile, r *csi.CreateVolumeRequest) bool {
	parameters := maps.Equal(r.GetParameters(), p.OtherParameters) || len(r.GetParameters()) == 0
	for _, kind := range p.Volumes {
		parameters = parameters || maps.Equal(r.GetParameters(), kind.Parameters)
	}
	for _, capability := range r.GetVolumeCapabilities() {
		if fs := capability.GetMount().GetFsType(); fs != p.FsType && !slices.Contains(fileSystems, fs) {
			return false
		}
	}
	mutable := len(r.GetMutableParameters()) == 0 || maps.Equal(r.GetMutableParameters(), p.MutableParameters)
	return parameters && mutable && maps.Equal(r.GetSecrets(), p.Secrets.CreateVolume)
}

// fileSystems lists common file systems.
var fileSystems = []string{"", "ext3", "ext4", "xfs", "btrfs"}

// areKnown reports whether each topology of the requirement has a segment that the suite knows, if it knows any, and
// requisite contains each preferred topology.
func areKnown(d *Driver, r *csi.TopologyRequirement) bool {
	unknown := func(t *csi.Topology) bool {
		return len(d.Room.Segments) > 0 && !slices.ContainsFunc(d.Room.Segments, func(s model.Segment) bool { return messages.Within([]*csi.Topology{t}, s) })
	}
	missing := func(t *csi.Topology) bool {
		return !slices.ContainsFunc(r.GetRequisite(), func(of *csi.Topology) bool { return proto.Equal(of, t) })
	}
	return !slices.ContainsFunc(r.GetRequisite(), unknown) && !slices.ContainsFunc(r.GetPreferred(), unknown) &&
		(len(r.GetRequisite()) == 0 || !slices.ContainsFunc(r.GetPreferred(), missing))
}

// creationOf names the RPC that creates objects of the kind.
var creationOf = map[own.Kind]string{own.Volume: "CreateVolume", own.Snapshot: "CreateSnapshot", own.Group: "CreateVolumeGroupSnapshot"}

// noteOthers records the volumes and snapshots that the driver lists before the run has made any.
func noteOthers(ctx context.Context, d *Driver) {
	ctx = attempt.Tolerant(ctx)
	if d.Held.ListsVolumes {
		noteListed(ctx, d, own.Volume, d.Held.ListVolumes)
	}
	if d.Held.ListsSnapshots {
		noteListed(ctx, d, own.Snapshot, d.Held.ListSnapshots)
	}
}

func noteListed(ctx context.Context, d *Driver, kind own.Kind, list func(context.Context) (map[string]bool, error)) {
	if d.health.Own.HasBegun(kind) {
		return
	}
	listed, err := list(ctx)
	if err != nil {
		listed = nil
	}
	d.health.Own.Begin(kind, listed)
	if listed != nil {
		_ = d.Target.Journal.Write(journal.Line{Listed: map[string][]string{string(kind): slices.Sorted(maps.Keys(listed))}}) // the end of the run reports it
	}
}

// IsOwn reports whether a volume in an answer of the driver belongs to the run.
func IsOwn(d *Driver, volume *csi.Volume) bool {
	return d.health.Own.Why(own.Volume, volume.GetVolumeId()) == ""
}

// isOwn reports whether the object in the driver's answer to a creation belongs to the run. It is true for the answer
// to any other call.
func isOwn(d *Driver, response any) bool {
	switch r := response.(type) {
	case *csi.CreateVolumeResponse:
		return d.health.Own.Why(own.Volume, r.GetVolume().GetVolumeId()) == ""
	case *csi.CreateSnapshotResponse:
		return d.health.Own.Why(own.Snapshot, r.GetSnapshot().GetSnapshotId()) == ""
	case *csi.CreateVolumeGroupSnapshotResponse:
		return d.health.Own.Why(own.Group, r.GetGroupSnapshot().GetGroupSnapshotId()) == ""
	default:
		return true
	}
}

// Strangers returns the ids of the volumes or snapshots that the driver listed before the run and does not list any
// more, though no call has deleted them, and the ids that it lists and no call has created, not even one without an answer.
// told is false if it lists nothing that could be compared.
func (d *Driver) Strangers(ctx context.Context, kind own.Kind) (missing, unasked []string, told bool) {
	if _, _, listed := d.health.Own.Strangers(kind, nil); !listed {
		return nil, nil, false
	}
	list := d.Held.ListVolumes
	if kind == own.Snapshot {
		list = d.Held.ListSnapshots
	}
	now, err := list(attempt.Tolerant(ctx))
	if err != nil {
		return nil, nil, false // the cases about lists judge that
	}
	missing, unasked, told = d.health.Own.Strangers(kind, now)
	if len(unasked) <= d.health.Unanswered(kind) {
		unasked = nil // the run may have made each of them
	}
	return missing, unasked, told
}
