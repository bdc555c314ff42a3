// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"fmt"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// detaching returns the cases about ControllerUnpublishVolume, which takes a volume from the node that is named, and
// from no other.
func detaching() []harness.Case {
	return []harness.Case{{
		ID:           "detach_again",
		Text:         "detaches a volume from a node twice",
		Requirements: []string{"CU-05", "CU-06"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
			publication.Attach(ctx, driver, volume, node)
			request := publication.DetachRequest(driver, volume, node)
			harness.ExpectOK("CU-10", detach(ctx, driver, request), "the volume is detached from the node that node_id names")

			harness.ExpectOK("CU-05", detach(ctx, driver, request), "ControllerUnpublishVolume is idempotent: detaching a volume that is already detached is OK")
		},
	}, {
		ID:           "detach_never_attached",
		Text:         "returns OK for a volume that was never attached to the node",
		Requirements: []string{"CU-06"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := driver.NeedVolume(ctx, driver.VolumeFor(node))

			harness.ExpectOK("CU-06", detach(ctx, driver, publication.DetachRequest(driver, volume, node)), "detaching a volume that is not attached to the node is OK")
		},
	}, {
		ID:           "detach_other_node",
		Text:         "leaves a volume attached to its node when it is detached from another node",
		Requirements: []string{"CU-06", "CU-10"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, publication.ForTwo(driver))
			one, other := publication.TwoOf(driver, volume)
			publication.Attach(ctx, driver, volume, one)
			there := needEvidence(ctx, driver, volume, one)

			harness.ExpectOK("CU-06", detach(ctx, driver, publication.DetachRequest(driver, volume, other)), fmt.Sprintf("the volume is not attached to %s, which is OK", other))

			there.expectStill(ctx, fmt.Sprintf("ControllerUnpublishVolume of volume %s was for %s alone", volume.GetVolumeId(), other))
		},
	}, {
		ID:           "detach_one_of_two",
		Text:         "detaches a volume from one of two nodes, and leaves it attached to the other",
		Requirements: []string{"CU-10"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, capability := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
			one, other := publication.TwoOf(driver, volume)
			needAttached(ctx, driver, volume, capability, one, other)
			there := needEvidence(ctx, driver, volume, other)

			harness.ExpectOK("CU-10", detach(ctx, driver, publication.DetachRequest(driver, volume, one)), fmt.Sprintf("the volume is detached from %s, which node_id names", one))

			there.expectStill(ctx, fmt.Sprintf("ControllerUnpublishVolume of volume %s was for %s alone", volume.GetVolumeId(), one))
		},
	}, {
		ID:           "detach_second_of_two",
		Text:         "detaches a volume from the second of the two nodes that it is attached to, and then from the first",
		Requirements: []string{"CU-10", "LV-07"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, capability := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
			one, other := publication.TwoOf(driver, volume)
			needAttached(ctx, driver, volume, capability, one, other)
			there := needEvidence(ctx, driver, volume, other)

			for _, node := range []*harness.Node{other, one} {
				harness.ExpectOK("CU-10", detach(ctx, driver, publication.DetachRequest(driver, volume, node)), fmt.Sprintf("the volume is detached from %s, which node_id names", node))
			}

			there.expectGone(ctx, "CU-10", fmt.Sprintf("ControllerUnpublishVolume of volume %s was OK for %s, and then for %s", volume.GetVolumeId(), other, one))
		},
	}, {
		ID:           "detach_two_at_once",
		Text:         "detaches a volume from two nodes at the same time",
		Requirements: []string{"CU-10", "GEN-02"},
		Needs:        needs(2),
		Run:          detachTwoAtOnce,
	}, {
		ID:           "detach_then_other_node",
		Text:         "attaches a volume to another node after detaching it from the first, and leaves it there when the first is named again",
		Requirements: []string{"CU-03", "CU-04", "CU-05", "CU-10"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, publication.ForTwo(driver))
			one, other := publication.TwoOf(driver, volume)
			publication.Attach(ctx, driver, volume, one)
			request := publication.DetachRequest(driver, volume, one)

			harness.ExpectOK("CU-10", detach(ctx, driver, request), fmt.Sprintf("the volume is detached from %s, which node_id names", one))

			harness.ExpectOK("CU-10", attach(ctx, driver, publication.AttachRequest(driver, volume, other)), fmt.Sprintf("the volume is no longer attached to %s, and ready to be used by %s (CU-03)", one, other))

			there, found := findEvidence(ctx, driver, volume, other)
			if !found { // and the volume was deleted
				suite.Reduced(ctx, "no call says to which nodes a volume is attached, and DeleteVolume deletes one that is in use: whether a repeated ControllerUnpublishVolume for another node leaves it attached cannot be checked")
				return
			}
			harness.ExpectOK("CU-05", detach(ctx, driver, request), fmt.Sprintf("ControllerUnpublishVolume is idempotent, and the volume is no longer attached to %s", one))
			there.expectStill(ctx, fmt.Sprintf("ControllerUnpublishVolume of volume %s was repeated for %s alone", volume.GetVolumeId(), one))
		},
	}, {
		// A plugin that can regard the volume as detached returns OK, any other NOT_FOUND.
		ID:           "detach_unknown_node",
		Text:         "returns OK or NOT_FOUND for a node that does not exist, and leaves the volume attached where it is",
		Requirements: []string{"CU-07", "CU-10", "CU-14", "CU-15", "CU-18", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0]))
			publication.Attach(ctx, driver, volume, driver.Nodes[0])
			there := needEvidence(ctx, driver, volume, driver.Nodes[0])
			request := publication.DetachRequest(driver, volume, driver.Nodes[0])
			request.NodeId = absent.Unlike(driver.Nodes[0].ID)

			harness.ExpectOKOrRefused(ctx, "CU-18", detach(ctx, driver, request),
				fmt.Sprintf("no node has the node_id %q: OK if the volume can be regarded as detached from it (CU-07), otherwise NOT_FOUND", request.GetNodeId()), codes.NotFound)

			there.expectStill(ctx, fmt.Sprintf("ControllerUnpublishVolume of volume %s was for a node %q alone", volume.GetVolumeId(), request.GetNodeId()))
		},
	}, {
		// Any answer is allowed: the volume cannot be on that node, and the plugin may say so.
		ID:           "detach_out_of_reach",
		Text:         "leaves a volume attached to its node when it is detached from one that cannot reach it",
		Requirements: []string{"CU-10"},
		Needs:        beyond(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0]))
			far := outOfReach(driver, volume)
			publication.Attach(ctx, driver, volume, driver.Nodes[0])
			there := needEvidence(ctx, driver, volume, driver.Nodes[0])

			answer := detach(ctx, driver, publication.DetachRequest(driver, volume, far))

			there.expectStill(ctx, fmt.Sprintf("ControllerUnpublishVolume of volume %s, which was answered with %s, was for %s alone", volume.GetVolumeId(), describe.Status(answer), far))
		},
	}, {
		ID:           "detach_unknown_volume",
		Text:         "returns OK or NOT_FOUND for a volume that does not exist",
		Requirements: []string{"CU-07", "CU-14", "CU-15", "CU-17", "GEN-15", "GEN-16"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			deleted := deletion.Volume(ctx, driver)

			harness.ExpectOKOrRefused(ctx, "CU-17", detach(ctx, driver, publication.DetachRequest(driver, deleted, driver.Nodes[0])),
				fmt.Sprintf("volume %s was deleted: OK if it can be regarded as detached (CU-07), otherwise NOT_FOUND", deleted.GetVolumeId()), codes.NotFound)
		},
	}}
}

// detachTwoAtOnce detaches a volume from both of its nodes in two calls that are in flight together. A call that is
// refused, for example with ABORTED, is repeated.
func detachTwoAtOnce(ctx context.Context, driver *harness.Driver) {
	volume, capability := driver.NeedVolumeOf(ctx, publication.ForTwo(driver), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
	one, other := publication.TwoOf(driver, volume)
	needAttached(ctx, driver, volume, capability, one, other)
	const rounds = 3
	for round := range rounds {
		if round > 0 && !attachAgain(ctx, driver, "CU-10", volume, capability, one, other) {
			return
		}
		there := []evidence{needEvidence(ctx, driver, volume, one), needEvidence(ctx, driver, volume, other)}
		due := make(chan *csi.ControllerUnpublishVolumeRequest, len(there))
		for _, found := range there {
			due <- publication.DetachRequest(driver, volume, found.node)
		}
		outcomes := calls.AtOnce(ctx, len(there), func(ctx context.Context) (*csi.ControllerUnpublishVolumeRequest, error) {
			request := <-due
			return request, detach(ctx, driver, request)
		})
		for _, outcome := range outcomes {
			if outcome.Err != nil {
				harness.ExpectOK("CU-10", detach(ctx, driver, outcome.Response), "the volume is detached from the node that node_id names, once no other call for it is pending (GEN-02)")
			}
		}
		for _, found := range there {
			why := fmt.Sprintf("ControllerUnpublishVolume of volume %s was OK for %s and for %s, called at the same time", volume.GetVolumeId(), one, other)
			if !found.expectGone(ctx, "CU-10", why) {
				return
			}
		}
	}
}

// attachAgain attaches a volume again to the nodes that it was detached from, as the clause demands. It reports whether all
// nodes have it: a node may be full because others use it.
func attachAgain(ctx context.Context, driver *harness.Driver, clause string, volume *csi.Volume, capability *csi.VolumeCapability, nodes ...*harness.Node) bool {
	for _, node := range nodes {
		request := publication.AttachRequest(driver, volume, node)
		request.VolumeCapability = capability
		err := attach(ctx, driver, request)
		if status.Code(err) == codes.ResourceExhausted && node.MaxVolumes > 0 {
			suite.Reduced(ctx, "volume %s was not attached to %s again, which is full: %s", volume.GetVolumeId(), node, describe.Status(err))
			return false
		}
		harness.ExpectOK(clause, err, "the volume is no longer attached to any node, and ready to be used by "+node.String())
	}
	return true
}

// detachingFromAll returns the case without a node_id, which detaches a volume from all nodes: from two if the driver
// has volumes for several nodes.
func detachingFromAll() []harness.Case {
	return []harness.Case{{
		ID:           "detach_from_all",
		Text:         "detaches a volume from all nodes when node_id is not set, so that it can be attached to each again, and deleted",
		Requirements: []string{"CU-03", "CU-11", "LV-07"},
		Needs:        needs(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume, nodes := needOnAll(ctx, driver)
			var there []evidence
			for _, node := range nodes {
				found, ok := findEvidence(ctx, driver, volume, node)
				if !ok { // and the volume was deleted
					volume, nodes = needOnAll(ctx, driver)
					there = nil
					break
				}
				there = append(there, found)
			}
			request := publication.DetachRequest(driver, volume, nodes[0])
			request.NodeId = ""

			why := fmt.Sprintf("node_id is OPTIONAL: without it volume %s, which is attached to %s, is detached from all nodes", volume.GetVolumeId(), describeNodes(nodes))
			harness.ExpectOK("CU-11", detach(ctx, driver, request), why)

			if len(there) == 0 {
				suite.Reduced(ctx, "no call says to which nodes a volume is attached, and DeleteVolume deletes one that is in use: whether volume %s was detached cannot be checked", volume.GetVolumeId())
			}
			for _, found := range there {
				if !found.expectGone(ctx, "CU-11", fmt.Sprintf("ControllerUnpublishVolume of volume %s without a node_id was OK", volume.GetVolumeId())) {
					return
				}
			}
			if !attachAgain(ctx, driver, "CU-11", volume, driver.CapabilityOf(volume), nodes...) {
				return
			}
			harness.ExpectOK("CU-11", detach(ctx, driver, request), why)
			if driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
				var err error
				driver.Settled(ctx, effect.Detachment, func() bool {
					err = remove(ctx, driver, volume)
					return err == nil
				})
				harness.ExpectOK("CU-11", err, why+", so that nothing uses it, and DeleteVolume deletes it")
			}
		},
	}}
}

// needOnAll creates a volume and attaches it to two nodes, to the second read-only if the driver does that, or to one if the
// driver has no volumes for two.
func needOnAll(ctx context.Context, driver *harness.Driver) (*csi.Volume, []*harness.Node) {
	shared := messages.As(driver.Capability(), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
	request := driver.CreateVolumeRequest(publication.ForTwo(driver))
	request.VolumeCapabilities = []*csi.VolumeCapability{shared}
	if response, err := driver.Controller.CreateVolume(ctx, request); err == nil {
		volume := response.GetVolume()
		if reaching, _ := publication.Reaching(driver, volume.GetAccessibleTopology()); len(reaching) > 1 {
			needAttached(ctx, driver, volume, shared, reaching[0])
			reader := publication.AttachRequest(driver, volume, reaching[1])
			reader.VolumeCapability, reader.Readonly = shared, true
			if !driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_READONLY) || attach(ctx, driver, reader) != nil {
				needAttached(ctx, driver, volume, shared, reaching[:2]...)
			}
			return volume, reaching[:2]
		}
	}
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	publication.Attach(ctx, driver, volume, node)
	return volume, []*harness.Node{node}
}

func describeNodes(nodes []*harness.Node) string {
	names := make([]string, 0, len(nodes))
	for _, node := range nodes {
		names = append(names, node.String())
	}
	return strings.Join(names, " and ")
}
