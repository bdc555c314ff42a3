// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"
)

// history holds earlier answers about the plugin, and about the volumes and snapshots that the run created, by id. The zero
// history is empty.
type history struct {
	volumes   map[string]toldVolume
	snapshots map[string]toldSnapshot
	// deleted holds the ids for which a deletion was requested: the driver may use them again.
	deleted map[string]bool
	// asked counts the requests for something that may exist already, by its keys.
	asked map[string]int
	// claimed holds the plugin capabilities of each endpoint, and versions its vendor_version.
	claimed  map[string][]string
	versions map[string]string
	// constrained reports that the plugin claims VOLUME_ACCESSIBILITY_CONSTRAINTS. Without it, topologies are not compared.
	constrained bool
}

type toldVolume struct {
	name    string
	context map[string]string
}

type toldSnapshot struct {
	name string // empty for a member of a group
	*csi.Snapshot
}

// Asked records that the request is about to be sent.
func (j *Judge) Asked(request proto.Message) {
	var ids []string
	switch of := request.(type) {
	case *csi.DeleteVolumeRequest:
		ids = []string{"volume " + of.GetVolumeId()}
	case *csi.DeleteSnapshotRequest:
		ids = []string{"snapshot " + of.GetSnapshotId()}
	case *csi.DeleteVolumeGroupSnapshotRequest:
		for _, id := range of.GetSnapshotIds() {
			ids = append(ids, "snapshot "+id)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.told.deleted == nil {
		j.told.deleted, j.told.asked = map[string]bool{}, map[string]int{}
	}
	for _, key := range existingFor(request).keys {
		j.told.asked[key]++
	}
	for _, id := range ids {
		j.told.deleted[id] = true
	}
}

// changes returns the flaws of the endpoint's answer that contradict earlier answers.
func (j *Judge) changes(endpoint string, request, answer proto.Message) []Flaw {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.told.claimed == nil {
		j.told.claimed, j.told.versions = map[string][]string{}, map[string]string{}
	}
	switch of := answer.(type) {
	case *csi.GetPluginInfoResponse:
		j.told.versioned(endpoint, of.GetVendorVersion())
		return nil
	case *csi.GetPluginCapabilitiesResponse:
		return j.told.claims(endpoint, of)
	case *csi.CreateVolumeResponse:
		asked := request.(*csi.CreateVolumeRequest)
		flaws := j.told.created(asked.GetName(), of.GetVolume())
		if j.told.constrained {
			flaws = append(flaws, elsewhere(asked, of.GetVolume())...)
		}
		return flaws
	case *csi.ControllerGetVolumeResponse:
		return j.told.volume(of.GetVolume())
	case *csi.ListVolumesResponse:
		var flaws []Flaw
		for _, entry := range of.GetEntries() {
			flaws = append(flaws, j.told.volume(entry.GetVolume())...)
		}
		return flaws
	case *csi.CreateSnapshotResponse:
		return j.told.taken("CS-03", request.(*csi.CreateSnapshotRequest).GetName(), of.GetSnapshot())
	case *csi.GetSnapshotResponse:
		return j.told.snapshot("GS-01", of.GetSnapshot())
	case *csi.ListSnapshotsResponse:
		var flaws []Flaw
		for _, entry := range of.GetEntries() {
			flaws = append(flaws, j.told.snapshot("LS-01", entry.GetSnapshot())...)
		}
		return flaws
	case *csi.CreateVolumeGroupSnapshotResponse:
		return j.told.members("VGS-02", of.GetGroupSnapshot())
	case *csi.GetVolumeGroupSnapshotResponse:
		return j.told.members("VGS-33", of.GetGroupSnapshot())
	default:
		return nil
	}
}

// versioned records the vendor_version of the endpoint. Another version may have other capabilities.
func (h *history) versioned(endpoint, version string) {
	if before := h.versions[endpoint]; before != "" && version != before {
		delete(h.claimed, endpoint)
	}
	h.versions[endpoint] = version
}

// claims compares the endpoint's capabilities with its earlier ones.
func (h *history) claims(endpoint string, of *csi.GetPluginCapabilitiesResponse) []Flaw {
	var now []string
	for _, c := range of.GetCapabilities() {
		switch is := c.GetType().(type) {
		case *csi.PluginCapability_Service_:
			now = append(now, is.Service.GetType().String())
		case *csi.PluginCapability_VolumeExpansion_:
			now = append(now, "VolumeExpansion "+is.VolumeExpansion.GetType().String())
		}
	}
	slices.Sort(now)
	now = slices.Compact(now)
	h.constrained = slices.Contains(now, csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS.String())
	before, known := h.claimed[endpoint]
	if !known {
		h.claimed[endpoint] = now
	}
	if !known || slices.Equal(before, now) {
		return nil
	}
	return []Flaw{{Clause: "PC-01", Field: "csi.v1.GetPluginCapabilitiesResponse.capabilities", Text: fmt.Sprintf("csi.v1.GetPluginCapabilitiesResponse.capabilities of one vendor_version are always the same, and were %v and are %v", before, now)}}
}

// created compares a volume returned by CreateVolume with the earlier answer about it, and checks that no other name has its
// id.
func (h *history) created(name string, v *csi.Volume) []Flaw {
	id := v.GetVolumeId()
	if id == "" || name == "" || h.deleted["volume "+id] {
		return nil
	}
	before, known := h.volumes[id]
	switch {
	case !known:
		if h.volumes == nil {
			h.volumes = map[string]toldVolume{}
		}
		h.volumes[id] = toldVolume{name, maps.Clone(v.GetVolumeContext())}
		return nil
	case before.name != name:
		return []Flaw{{Clause: "VOL-04", Field: "csi.v1.Volume.volume_id", Text: fmt.Sprintf("csi.v1.Volume.volume_id %q is unique, and was returned for the names %q and %q", id, before.name, name)}}
	default:
		return h.volume(v)
	}
}

// volume compares a volume with the answer of CreateVolume. volume_context is OPTIONAL, so an answer may omit it.
func (h *history) volume(v *csi.Volume) []Flaw {
	before, known := h.volumes[v.GetVolumeId()]
	now := v.GetVolumeContext()
	if !known || len(now) == 0 || h.deleted["volume "+v.GetVolumeId()] || maps.Equal(now, before.context) {
		return nil
	}
	return []Flaw{{Clause: "VOL-12", Field: "csi.v1.Volume.volume_context", Text: fmt.Sprintf("csi.v1.Volume.volume_context of a volume is always the same, and that of %q was %v and is %v", v.GetVolumeId(), before.context, now)}}
}

// taken compares a snapshot returned by CreateSnapshot with the earlier answer about it, and checks that no other name has
// its id.
func (h *history) taken(clause, name string, s *csi.Snapshot) []Flaw {
	id := s.GetSnapshotId()
	if id == "" || h.deleted["snapshot "+id] {
		return nil
	}
	before, known := h.snapshots[id]
	switch {
	case !known:
		if h.snapshots == nil {
			h.snapshots = map[string]toldSnapshot{}
		}
		h.snapshots[id] = toldSnapshot{name, proto.CloneOf(s)}
		return nil
	case before.name != name:
		return []Flaw{{Clause: "SN-06", Field: "csi.v1.Snapshot.snapshot_id", Text: fmt.Sprintf("csi.v1.Snapshot.snapshot_id %q is unique, and was returned for the names %q and %q", id, before.name, name)}}
	default:
		return h.snapshot(clause, s)
	}
}

// members compares the snapshots of a group as taken does.
func (h *history) members(clause string, group *csi.VolumeGroupSnapshot) []Flaw {
	var flaws []Flaw
	for _, s := range group.GetSnapshots() {
		flaws = append(flaws, h.taken(clause, "", s)...)
	}
	return flaws
}

// snapshot compares a snapshot with the first answer about it. Its size may change until it is ready to use.
func (h *history) snapshot(clause string, s *csi.Snapshot) []Flaw {
	before, known := h.snapshots[s.GetSnapshotId()]
	if !known || h.deleted["snapshot "+s.GetSnapshotId()] {
		return nil
	}
	var flaws []Flaw
	differ := func(field string, was, is any) {
		flaws = append(flaws, Flaw{Clause: clause, Field: "csi.v1.Snapshot." + field, Text: fmt.Sprintf("csi.v1.Snapshot.%s of %q was %v, and is %v", field, s.GetSnapshotId(), was, is)})
	}
	if s.GetSourceVolumeId() != "" && s.GetSourceVolumeId() != before.GetSourceVolumeId() {
		differ("source_volume_id", before.GetSourceVolumeId(), s.GetSourceVolumeId())
	}
	if was, is := before.GetCreationTime(), s.GetCreationTime(); isTime(was) && isTime(is) && is.AsTime().Sub(was.AsTime()).Abs() >= time.Second {
		differ("creation_time", was.AsTime(), is.AsTime())
	}
	ready := before.GetReadyToUse() && s.GetReadyToUse()
	if was, is := before.GetSizeBytes(), s.GetSizeBytes(); ready && was > 0 && is > 0 && was != is {
		differ("size_bytes", was, is)
	}
	if id := s.GetGroupSnapshotId(); id != "" && before.GetGroupSnapshotId() != "" && id != before.GetGroupSnapshotId() {
		differ("group_snapshot_id", before.GetGroupSnapshotId(), id)
	}
	return flaws
}
