// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"maps"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// callsAtOnce returns the cases about a CO that has lost its state and makes one call several times, all of them in
// flight together. Any of them may be ABORTED.
func callsAtOnce() []harness.Case {
	return []harness.Case{concurrentCreation(), concurrentDeletion(), concurrentPublication(), concurrentStaging()}
}

// inFlight is the number of calls for one volume that are in flight at once.
const inFlight = 4

// ofCallsAtOnce returns the requirements of these cases, in addition to the given ones.
func ofCallsAtOnce(clauses ...string) []string {
	return append(clauses, "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
}

// concurrentCreation offers all segments to each call: the volume must be in one place, which the driver chooses.
func concurrentCreation() harness.Case {
	const segments = 4
	return harness.Case{
		ID:           "concurrent_creation",
		Text:         "creates one volume when CreateVolume is called several times at once",
		Requirements: ofCallsAtOnce("CV-02", "CV-03", "CV-07", "VOL-12"),
		Needs:        harness.Needs(claiming(), harness.Shows(segments)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			zones := driver.Zones(segments)
			asked := driver.AsKubernetes(driver.Volume(1).Within(zones...))
			request := driver.CreateVolumeRequest(asked)
			answers := calls.Graceful(ctx, "CV-03", calls.AtOnce(ctx, inFlight, func(ctx context.Context) (*csi.CreateVolumeResponse, error) {
				return driver.Controller.CreateVolume(ctx, request)
			}))

			volume := creation.CreateAgain(ctx, driver, creation.Answer{Name: request.GetName()}, asked)
			if volume.Code != codes.OK {
				skipIfFull(volume.Code, "CreateVolume")
				suite.Must("CV-03", len(answers) == 0, "CreateVolume of %s answered OK before, and is refused when it is repeated: %s", request.GetName(), volume)
				suite.CouldNotTell("no call of CreateVolume of %s created a volume, not even the last one, which was alone in flight: %s", request.GetName(), volume)
			}
			if len(zones) > 0 {
				creation.ExpectAllowed(ctx, volume, model.AnswersTo(asked, driver.Room.World))
			}
			expectOneVolume(ctx, request, answers, volume)
		},
	}
}

// expectOneVolume warns if concurrent calls created more than one volume, which they should not, and fails the case if
// the call after them created another one, or reports something different about the same one.
func expectOneVolume(ctx context.Context, request *csi.CreateVolumeRequest, answers []*csi.CreateVolumeResponse, volume creation.Answer) {
	var same, others []string
	for _, answer := range answers {
		got, segments := answer.GetVolume(), messages.Segments(answer.GetVolume().GetAccessibleTopology())
		if got.GetVolumeId() != volume.VolumeID {
			others = append(others, got.GetVolumeId())
			continue
		}
		same = append(same, got.GetVolumeId())
		suite.Must("CV-03", segments.Equal(volume.Segments), "CreateVolume of %s answered volume %s several times: as accessible from %s, and as accessible from %s",
			request.GetName(), volume.VolumeID, segments, volume.Segments)
		suite.Must("VOL-12", maps.Equal(got.GetVolumeContext(), volume.Context), "CreateVolume of %s answered volume %s several times: with volume_context %s, and with %s",
			request.GetName(), volume.VolumeID, describe.Map(got.GetVolumeContext()), describe.Map(volume.Context))
	}
	suite.Must("CV-03", len(same) > 0 || len(others) == 0, "CreateVolume of %s answered %s, and then, when it was repeated, another volume: %s", request.GetName(), strings.Join(others, ", "), volume.VolumeID)
	suite.Should(ctx, "CV-07", len(others) == 0, "concurrent calls of CreateVolume of %s created more than one volume: %s, and %s", request.GetName(), strings.Join(others, ", "), volume.VolumeID)
}

func concurrentDeletion() harness.Case {
	return harness.Case{
		ID:           "concurrent_deletion",
		Text:         "deletes a volume when DeleteVolume is called several times at once",
		Requirements: ofCallsAtOnce("DV-01"),
		Needs:        claiming(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := needVolume(ctx, driver)
			request := deletion.Request(driver, volume)
			calls.Graceful(ctx, "DV-01", calls.AtOnce(ctx, inFlight, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
				return driver.Controller.DeleteVolume(ctx, request)
			}))

			_, err := driver.Controller.DeleteVolume(ctx, request)
			harness.ExpectOK("DV-01", err, "DeleteVolume of a volume that earlier calls deleted is OK")
			shouldBeDeleted(ctx, driver, volume)
		},
	}
}

// concurrentPublication checks the answers, and the nodes that the volume is published to afterwards.
func concurrentPublication() harness.Case {
	return harness.Case{
		ID:           "concurrent_publication",
		Text:         "publishes a volume once when ControllerPublishVolume is called several times at once",
		Requirements: ofCallsAtOnce("CP-04", "CP-05", "CP-22"),
		Needs:        publishing(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := needVolumeFor(ctx, driver, node)
			request := publication.AttachRequest(driver, volume, node)
			answers := calls.Graceful(ctx, "CP-04", calls.AtOnce(ctx, inFlight, func(ctx context.Context) (*csi.ControllerPublishVolumeResponse, error) {
				return driver.Controller.ControllerPublishVolume(ctx, request)
			}))

			published, err := driver.Controller.ControllerPublishVolume(ctx, request)
			harness.ExpectOK("CP-04", err, "ControllerPublishVolume of a volume that earlier calls published to the node is OK")
			expectSameContext(answers, published)
			expectPublishedOnce(ctx, driver, volume, node)
		},
	}
}

// concurrentStaging checks that one NodeUnstageVolume undoes the effect of all calls.
func concurrentStaging() harness.Case {
	return harness.Case{
		ID:           "concurrent_staging",
		Text:         "stages a volume once when NodeStageVolume is called several times at once",
		Requirements: ofCallsAtOnce("NS-04", "NS-06"),
		Needs:        claimingAtNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME),
		Run: func(ctx context.Context, driver *harness.Driver) {
			node := driver.Nodes[0]
			volume := needVolumeFor(ctx, driver, node)
			request := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node))
			calls.Graceful(ctx, "NS-04", calls.AtOnce(ctx, inFlight, func(ctx context.Context) (*csi.NodeStageVolumeResponse, error) {
				return node.NodeStageVolume(ctx, request)
			}))

			_, err := node.NodeStageVolume(ctx, request)
			harness.ExpectOK("NS-04", err, "NodeStageVolume of a volume that earlier calls staged at the path is OK")
			expectUnstaged(ctx, node, request)
		},
	}
}
