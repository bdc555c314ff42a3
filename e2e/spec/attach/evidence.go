// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/listing"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// evidence shows whether a volume is on a node: by published_node_ids of the calls that list the node while the volume is
// certainly on it; if none does, by DeleteVolume, which refuses a volume in use. Other cases judge whether these calls are
// right: a call that is wrong beforehand proves nothing afterwards.
type evidence struct {
	driver *harness.Driver
	volume *csi.Volume
	node   *harness.Node
	calls  []string // the calls that show it; none if DeleteVolume does
}

// findEvidence finds out which calls show that the volume is attached to the node. If none does, the volume is deleted.
func findEvidence(ctx context.Context, driver *harness.Driver, volume *csi.Volume, node *harness.Node) (found evidence, ok bool) {
	e := evidence{driver: driver, volume: volume, node: node}
	driver.Settled(ctx, effect.Attachment, func() bool {
		e.calls = nil
		said := listing.PublishedNodes(ctx, driver, volume.GetVolumeId())
		for call, nodes := range said {
			if slices.Contains(nodes, node.ID) {
				e.calls = append(e.calls, call)
			}
		}
		return len(e.calls) == len(said)
	})
	return e, len(e.calls) > 0 || remove(ctx, driver, volume) != nil
}

// needEvidence is like findEvidence, for a case that needs the evidence: without it the case is skipped.
func needEvidence(ctx context.Context, driver *harness.Driver, volume *csi.Volume, node *harness.Node) evidence {
	found, ok := findEvidence(ctx, driver, volume, node)
	if !ok {
		suite.Skip(suite.ByCapability, "no call says to which nodes a volume is attached, as LIST_VOLUMES_PUBLISHED_NODES would claim, "+
			"and DeleteVolume deletes one that is in use: nothing shows whether volume %s stays on %s", volume.GetVolumeId(), node)
	}
	return found
}

// expectStill expects that the volume is still on the node. why describes the call that was made.
func (e evidence) expectStill(ctx context.Context, why string) {
	if len(e.calls) == 0 {
		suite.Must("CU-10", remove(ctx, e.driver, e.volume) != nil, "%s, and detached it from %s too: DeleteVolume, which refused to delete it while it was there, now deletes it", why, e.node)
		return
	}
	for call, nodes := range e.say(ctx) {
		suite.Must("CU-10", slices.Contains(nodes, e.node.ID), "%s, and detached it from %s too: %s lists it on %q", why, e.node, call, nodes)
	}
}

// expectGone expects that the volume is no longer on the node, and reports whether it found out without deleting the volume.
// why describes the call that was made, and clause is the clause that demands that.
func (e evidence) expectGone(ctx context.Context, clause, why string) bool {
	if len(e.calls) == 0 {
		harness.ExpectOK(clause, remove(ctx, e.driver, e.volume), why+", and so the volume is no longer in use: DeleteVolume, which refused to delete it while it was on "+e.node.String()+", deletes it")
		return false
	}
	gone := func() bool {
		for _, nodes := range e.say(ctx) {
			if slices.Contains(nodes, e.node.ID) {
				return false
			}
		}
		return true
	}
	if e.driver.Settled(ctx, effect.Detachment, gone) {
		return true
	}
	// They may list nodes that the volume is not on (LV-07), which does not mean that it is in use.
	err := remove(ctx, e.driver, e.volume)
	suite.Must(clause, status.Code(err) != codes.FailedPrecondition, "%s, and volume %s is still on %s by %q, and cannot be deleted: %s", why, e.volume.GetVolumeId(), e.node, e.calls, describe.Status(err))
	suite.Warn(ctx, "LV-07", "%s, and %q still list volume %s on %s", why, e.calls, e.volume.GetVolumeId(), e.node)
	return false
}

// say returns the nodes that each of the calls in evidence now lists for the volume. A call that no longer has the
// volume does not say that the volume is on no node.
func (e evidence) say(ctx context.Context) map[string][]string {
	all, said := listing.PublishedNodes(ctx, e.driver, e.volume.GetVolumeId()), map[string][]string{}
	for _, call := range e.calls {
		nodes, answered := all[call]
		if !answered {
			suite.CouldNotTell("%s listed the nodes of volume %s before, and does not list the volume now", call, e.volume.GetVolumeId())
		}
		said[call] = nodes
	}
	return said
}
