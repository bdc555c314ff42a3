// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// entriesOfVolumes returns the cases about the entry of a volume in ListVolumes, and oneVolume the cases about
// ControllerGetVolume.
func entriesOfVolumes() []harness.Case {
	return []harness.Case{listVolumesCapacity(), listVolumesPublishedNodes()}
}

func oneVolume() []harness.Case {
	return []harness.Case{getVolumeUnknown(), getVolumeAsCreated(), getVolumeAsListed(), getVolumePublishedNodes()}
}

// listVolumesCapacity checks the fields of an entry that are also in CreateVolume's answer. It may omit OPTIONAL fields.
func listVolumesCapacity() harness.Case {
	return harness.Case{
		ID:           "list_volumes_capacity",
		Text:         "lists a volume with the capacity and the volume_context that CreateVolume answered",
		Requirements: []string{"LV-08", "VOL-01", "VOL-02", "VOL-12"},
		Needs:        listingVolumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			created := driver.NeedVolume(ctx, driver.Volume(1))

			expectAsCreated(ctx, created, entryOf(ctx, driver, created).GetVolume(), "ListVolumes", "LV-08")
		},
	}
}

// entryOf returns the entry of a volume in ListVolumes, once there is one.
func entryOf(ctx context.Context, driver *harness.Driver, volume *csi.Volume) *csi.ListVolumesResponse_Entry {
	entries := expectListed(ctx, driver, volume).entries[volume.GetVolumeId()]
	if len(entries) == 0 {
		suite.CouldNotTell("ListVolumes has more pages than a case reads, and volume %s is not on the first %d", volume.GetVolumeId(), mostPages)
	}
	return entries[len(entries)-1]
}

// expectAsCreated compares a call's report of the volume with the answer of CreateVolume. Another capacity, or a missing
// volume_context, is a warning by the clause.
func expectAsCreated(ctx context.Context, created, told *csi.Volume, call, clause string) {
	suite.Must("VOL-02", told.GetCapacityBytes() >= 0, "%s says that volume %s has %d bytes, which is negative", call, created.GetVolumeId(), told.GetCapacityBytes())
	if got, want := told.GetCapacityBytes(), created.GetCapacityBytes(); got > 0 && want > 0 {
		suite.Should(ctx, clause, got == want, "%s says that volume %s has %d bytes, and CreateVolume answered %d", call, created.GetVolumeId(), got, want)
	}
	got, want := told.GetVolumeContext(), created.GetVolumeContext()
	if len(got) == 0 && len(want) > 0 {
		suite.Warn(ctx, "VOL-12", "%s leaves out the volume_context of volume %s, which is %s", call, created.GetVolumeId(), describe.Map(want))
		return
	}
	suite.Must("VOL-12", maps.Equal(got, want), "%s says that volume %s has volume_context %s, and CreateVolume answered %s", call, created.GetVolumeId(), describe.Map(got), describe.Map(want))
}

// listVolumesPublishedNodes attaches a volume and detaches it. A node that it was detached from may still be listed, but a
// CO then assumes that the volume is attached.
func listVolumesPublishedNodes() harness.Case {
	return harness.Case{
		ID:           "list_volumes_published_nodes",
		Text:         "lists a volume with the node that it is published to, until it is unpublished",
		Requirements: []string{"LV-05", "LV-07", "LV-10"},
		Needs:        harness.Needs(harness.Nodes(1), harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			// list_volumes_has_each_once judges a list without the volume while it is not attached.
			first := mustList(ctx, driver, 0).entries[volume.GetVolumeId()]
			mustHaveStatus(volume, first...)
			unnamed := slices.ContainsFunc(first, namesNoNode)
			listed := func() bool {
				entries := mustList(ctx, driver, 0).entries[volume.GetVolumeId()]
				unnamed = unnamed || slices.ContainsFunc(entries, namesNoNode)
				return slices.ContainsFunc(entries, func(e *csi.ListVolumesResponse_Entry) bool {
					return slices.Contains(e.GetStatus().GetPublishedNodeIds(), node.ID)
				})
			}

			publication.Attach(ctx, driver, volume, node)
			mustHaveStatus(volume, entryOf(ctx, driver, volume))
			suite.Must("LV-10", driver.Settled(ctx, effect.Attachment, listed), "volume %s is published to %s, and its published_node_ids in ListVolumes lack the node", volume.GetVolumeId(), node)

			harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node)))
			gone := driver.Settled(ctx, effect.Detachment, func() bool { return !listed() })
			suite.Should(ctx, "LV-07", gone, "volume %s was unpublished from %s, and its published_node_ids in ListVolumes still have the node", volume.GetVolumeId(), node)
			suite.Should(ctx, "LV-07", !unnamed, "published_node_ids of volume %s in ListVolumes have an empty id, which no node has: if there is no node, the list is empty", volume.GetVolumeId())
		},
	}
}

// mustHaveStatus fails the case if an entry of the volume has no status, which names the nodes that it is published to.
func mustHaveStatus(volume *csi.Volume, entries ...*csi.ListVolumesResponse_Entry) {
	for _, entry := range entries {
		suite.Must("LV-10", entry.GetStatus() != nil, "LIST_VOLUMES_PUBLISHED_NODES is claimed, and the entry of volume %s in ListVolumes has no status", volume.GetVolumeId())
	}
}

func namesNoNode(entry *csi.ListVolumesResponse_Entry) bool {
	return slices.Contains(entry.GetStatus().GetPublishedNodeIds(), "")
}

// getVolume gets one volume.
func getVolume(ctx context.Context, driver *harness.Driver, id string) (*csi.ControllerGetVolumeResponse, error) {
	return driver.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id})
}

// getVolumeUnknown gets a volume that never existed, and a deleted one if the driver deletes volumes.
func getVolumeUnknown() harness.Case {
	return harness.Case{
		ID:           "get_volume_unknown",
		Text:         "returns NOT_FOUND for a volume that never existed, and for a deleted one",
		Requirements: []string{"LV-12", "LV-13", "GEN-15", "GEN-16"},
		Needs:        harness.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME),
		Run: func(ctx context.Context, driver *harness.Driver) {
			get := func(ctx context.Context, id string) error {
				_, err := getVolume(ctx, driver, id)
				return err
			}
			if !driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
				harness.ExpectRefused(ctx, "LV-13", get(ctx, "csi-topo-no-such-volume"), "ControllerGetVolume of a volume that never existed is NOT_FOUND", codes.NotFound)
				return
			}
			expectNotFound(ctx, driver, "LV-13", "ControllerGetVolume", get)
		},
	}
}

// expectNotFound makes the call for a volume that never existed, and for one that was deleted. If the latter call still
// succeeds once the driver had time to settle, that is a warning: a driver may know a volume that it is deleting.
func expectNotFound(ctx context.Context, driver *harness.Driver, clause, call string, get func(ctx context.Context, id string) error) {
	deleted := deletion.Volume(ctx, driver).GetVolumeId()
	unknown := absent.Unlike(deleted)
	harness.ExpectRefused(ctx, clause, get(ctx, unknown), call+" of volume "+unknown+", which never existed, is NOT_FOUND", codes.NotFound)

	var err error
	gone := driver.Settled(ctx, effect.Deletion, func() bool {
		err = get(ctx, deleted)
		return err != nil
	})
	suite.Should(ctx, clause, gone, "%s of volume %s, which was deleted, is OK and not NOT_FOUND", call, deleted)
	harness.ExpectOKOrRefused(ctx, clause, err, call+" of volume "+deleted+", which was deleted, is NOT_FOUND", codes.NotFound)
}

// getVolumeAsCreated checks the fields of ControllerGetVolume that are also in CreateVolume's answer, and its other REQUIRED
// fields.
func getVolumeAsCreated() harness.Case {
	return harness.Case{
		ID:           "get_volume_as_created",
		Text:         "gets a volume as CreateVolume answered it, and its status",
		Requirements: []string{"LV-11", "LV-15", "LV-19", "VOL-01", "VOL-02", "VOL-03", "VOL-12"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))

			response, err := getVolume(ctx, driver, volume.GetVolumeId())

			suite.Must("LV-11", status.Code(err) != codes.Unimplemented, "GET_VOLUME is claimed, and ControllerGetVolume is UNIMPLEMENTED")
			got := harness.NeedOK(response, err).GetVolume()
			suite.Must("LV-15", got.GetVolumeId() == volume.GetVolumeId(), "ControllerGetVolume of volume %s answers volume %q", volume.GetVolumeId(), got.GetVolumeId())
			suite.Must("LV-19", response.GetStatus() != nil, "ControllerGetVolume of volume %s has no status, which is REQUIRED", volume.GetVolumeId())
			expectAsCreated(ctx, volume, got, "ControllerGetVolume", "LV-15")
		},
	}
}

// getVolumeAsListed compares ControllerGetVolume with ListVolumes in the fields that CreateVolume left unset: other cases
// compare both with its answer. No MUST says that they agree, but a CO that calls both does not know which answer is right.
func getVolumeAsListed() harness.Case {
	return harness.Case{
		ID:           "get_volume_as_listed",
		Text:         "gets a volume as ListVolumes has it",
		Requirements: []string{"LV-08", "LV-15"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_GET_VOLUME)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))

			listed, got := entryOf(ctx, driver, volume).GetVolume(), harness.NeedOK(getVolume(ctx, driver, volume.GetVolumeId())).GetVolume()

			differ := func(field string, a, b any) {
				suite.Warn(ctx, "LV-08", "ControllerGetVolume and ListVolumes say different things of volume %s: %s is %v and %v", volume.GetVolumeId(), field, a, b)
			}
			if a, b := got.GetCapacityBytes(), listed.GetCapacityBytes(); volume.GetCapacityBytes() == 0 && a > 0 && b > 0 && a != b {
				differ("capacity_bytes", a, b)
			}
			a, b := messages.Segments(got.GetAccessibleTopology()), messages.Segments(listed.GetAccessibleTopology())
			if len(volume.GetAccessibleTopology()) == 0 && len(a) > 0 && len(b) > 0 && !a.Equal(b) {
				differ("accessible_topology", a, b)
			}
			if a, b := got.GetContentSource(), listed.GetContentSource(); a != nil && b != nil && !proto.Equal(a, b) {
				differ("content_source", a, b)
			}
		},
	}
}

func getVolumePublishedNodes() harness.Case {
	return harness.Case{
		ID:           "get_volume_published_nodes",
		Text:         "gets a volume with the node that it is published to",
		Requirements: []string{"LV-14", "LV-19"},
		Needs:        harness.Needs(harness.Nodes(1), harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME, csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))

			told := func() []string {
				return harness.NeedOK(getVolume(ctx, driver, volume.GetVolumeId())).GetStatus().GetPublishedNodeIds()
			}
			unnamed := slices.Contains(told(), "")

			publication.Attach(ctx, driver, volume, node)

			has := driver.Settled(ctx, effect.Attachment, func() bool { return slices.Contains(told(), node.ID) })
			suite.Must("LV-14", has, "volume %s is published to %s, and its published_node_ids in ControllerGetVolume lack the node", volume.GetVolumeId(), node)
			suite.Should(ctx, "LV-14", !unnamed, "published_node_ids of volume %s in ControllerGetVolume had an empty id before it was published, which no node has: if there is no node, the list is empty", volume.GetVolumeId())
		},
	}
}
