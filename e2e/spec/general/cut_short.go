// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// callsCutShort returns the cases about a CO that gives a call up before it is answered, because its deadline has passed or
// because it was restarted, and then repeats it: the call continues where it left off, and takes effect once. Cases on other
// calls are in the packages of their subjects; the one on DeleteVolume is in volume.
func callsCutShort() []harness.Case {
	return []harness.Case{volumeCutShort(), publicationCutShort(), stagingCutShort(), nodePublicationCutShort()}
}

func volumeCutShort() harness.Case {
	return harness.Case{
		ID:           "volume_cut_short",
		Text:         "creates one volume when the call is cut short and repeated",
		Requirements: []string{"CV-02", "CV-03", "CV-07", "GEN-02", "GEN-07"},
		Needs:        claiming(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			asked := driver.Volume(1).Within(driver.Zones(1)...)
			request := driver.CreateVolumeRequest(asked)
			before := driver.Held.Watch(ctx)
			answers := cutShort(ctx, driver, "CV-02", driver.Controller.CreateVolume, request)
			volume := answers[len(answers)-1].GetVolume()
			for _, other := range answers {
				suite.Must("CV-03", other.GetVolume().GetVolumeId() == volume.GetVolumeId(), "CreateVolume of %s answered volume %s, and volume %s when it was repeated",
					request.GetName(), other.GetVolume().GetVolumeId(), volume.GetVolumeId())
			}
			expectExists(ctx, driver, volume)
			taken := before.Taken(ctx, volume.GetCapacityBytes(), volume.GetAccessibleTopology())
			suite.Should(ctx, "CV-07", volume.GetCapacityBytes() == 0 || len(taken) == 0, "CreateVolume of %s was cut short and repeated, and took more or less capacity than one volume:\n    %s",
				request.GetName(), strings.Join(taken, "\n    "))
		},
	}
}

func publicationCutShort() harness.Case {
	return harness.Case{
		ID:           "publication_cut_short",
		Text:         "publishes a volume, and unpublishes it, when the controller's calls are cut short and repeated",
		Requirements: []string{"CP-04", "CP-05", "CP-22", "CU-05", "CU-06", "GEN-02", "GEN-07"},
		Needs:        publishing(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := needVolumeFor(ctx, driver, node)
			answers := cutShort(ctx, driver, "CP-04", driver.Controller.ControllerPublishVolume, publication.AttachRequest(driver, volume, node))
			expectSameContext(answers, answers[len(answers)-1])
			expectPublishedOnce(ctx, driver, volume, node)

			cutShort(ctx, driver, "CU-05", driver.Controller.ControllerUnpublishVolume, publication.DetachRequest(driver, volume, node))
			shouldBeUnpublished(ctx, driver, volume, node)
		},
	}
}

func stagingCutShort() harness.Case {
	return harness.Case{
		ID:           "staging_cut_short",
		Text:         "stages a volume, and unstages it, when the calls are cut short and repeated",
		Requirements: []string{"NS-04", "NS-06", "NS-09", "GEN-02", "GEN-07"},
		Needs:        claimingAtNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := needVolumeFor(ctx, driver, node)
			request := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node))
			cutShort(ctx, driver, "NS-04", node.NodeStageVolume, request)
			published := publication.Request(ctx, node, request)
			_, err := node.NodePublishVolume(ctx, published)
			harness.ExpectOK("NS-04", err, "NodeStageVolume was cut short and repeated until it was OK: the volume is staged, and can be published")
			harness.NeedOK(node.NodeUnpublishVolume(ctx, unpublishRequest(published)))

			cutShort(ctx, driver, "NS-09", node.NodeUnstageVolume, unstageRequest(request))
			expectNotAt(ctx, node, volume.GetVolumeId(), request.GetStagingTargetPath(), request.GetStagingTargetPath(), "NS-06", "NodeUnstageVolume")
		},
	}
}

func nodePublicationCutShort() harness.Case {
	return harness.Case{
		ID:           "node_publication_cut_short",
		Text:         "publishes a volume at a node, and unpublishes it, when the calls are cut short and repeated",
		Requirements: []string{"NS-13", "NS-16", "NS-29", "GEN-02", "GEN-07"},
		Needs:        harness.Needs(claimingAtNode(), harness.RealNodes()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			request := publication.Request(ctx, node, publication.Stage(ctx, node, needVolumeFor(ctx, driver, node)))
			cutShort(ctx, driver, "NS-13", node.NodePublishVolume, request)
			suite.Must("NS-13", node.Exists(ctx, request.GetTargetPath()), "NodePublishVolume was cut short and repeated until it was OK, and nothing is at target_path, %s", request.GetTargetPath())

			cutShort(ctx, driver, "NS-16", node.NodeUnpublishVolume, unpublishRequest(request))
			suite.Must("NS-29", !node.Exists(ctx, request.GetTargetPath()), "NodeUnpublishVolume was cut short and repeated until it was OK, and target_path, %s, still exists", request.GetTargetPath())
		},
	}
}

// cutShort cuts a call short and repeats it, and returns its answers, at least one. It fails the case by the clause,
// which says that the call is idempotent, if the call does not succeed in the end.
func cutShort[Request, Response any](
	ctx context.Context, driver *harness.Driver, clause string, rpc func(context.Context, Request, ...grpc.CallOption) (Response, error), request Request,
) []Response {
	answers, err := calls.CutShort(ctx, driver, func(ctx context.Context) (Response, error) { return rpc(ctx, request) })
	skipIfFull(status.Code(err), "the call")
	harness.ExpectOK(clause, err, "a call that was cut short continues where it left off when it is repeated, and is OK when it is repeated once more")
	return answers
}
