// SPDX-License-Identifier: Apache-2.0

package general

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/absent"
	answers "github.com/csi-topo/csi-topo/e2e/spec/harness/answer"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// sizeLimits returns the cases about the largest size of strings and maps, which binds plugins and COs alike.
func sizeLimits() []harness.Case {
	return []harness.Case{limitsOfAnswers(), limitsOfVolumeID(), limitsOfParameters()}
}

// limitsOfAnswers checks the answers to calls of many kinds. The message of ValidateVolumeCapabilities is one of them:
// it explains why the driver does not confirm an access mode that does not exist.
func limitsOfAnswers() harness.Case {
	return harness.Case{
		ID:           "limits_of_answers",
		Text:         "returns strings and maps within their size limits, in answers that are not too large for gRPC",
		Requirements: []string{"GEN-04", "NI-09"},
		Needs:        harness.Needs(claiming(), harness.Attaches(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			lists := attempt.Tolerant(ctx) // a list that is too large to be read is a finding too
			within := func(answer proto.Message, err error) { expectWithin(ctx, answer, err) }
			info, err := driver.Identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{})
			within(info, err)
			for _, node := range driver.Nodes {
				info, err := node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
				within(info, err)
			}
			created := harness.NeedOK(driver.Controller.CreateVolume(ctx, driver.CreateVolumeRequest(driver.Volume(1).Within(driver.Zones(1)...))))
			within(created, nil)
			volume := created.GetVolume()
			unheardOf := driver.Capability()
			unheardOf.AccessMode.Mode = 1000
			validated, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, unheardOf))
			within(validated, err)
			if driver.ListsVolumes() {
				for _, most := range []int32{1, 0} {
					listed, err := driver.Controller.ListVolumes(lists, &csi.ListVolumesRequest{MaxEntries: most})
					within(listed, err)
				}
			}
			if driver.ListsSnapshots() {
				listed, err := driver.Controller.ListSnapshots(lists, &csi.ListSnapshotsRequest{Secrets: driver.Profile().Secrets.ListSnapshots})
				within(listed, err)
			}
			if driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
				snapshot, err := driver.Controller.CreateSnapshot(ctx, snapshots.CreateRequest(driver, volume))
				within(snapshot, err)
			}
			reaching, _ := publication.Reaching(driver, volume.GetAccessibleTopology())
			if len(reaching) > 0 && driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				published, err := driver.Controller.ControllerPublishVolume(ctx, publication.AttachRequest(driver, volume, reaching[0]))
				within(published, err)
			}
		},
	}
}

// expectWithin fails the case if a field of the answer is too large, and warns if no field is but the answer is too large
// for the sidecars. A call that was refused has no answer: other cases judge it.
func expectWithin(ctx context.Context, answer proto.Message, err error) {
	if why, _ := attempt.WhyUnanswered(err); why != "" {
		suite.Warn(ctx, "GEN-04", "%s", why)
	}
	if err != nil {
		return
	}
	name, size := answer.ProtoReflect().Descriptor().Name(), proto.Size(answer)
	found := answers.Oversized(answer)
	suite.Must("GEN-04", len(found) == 0, "fields of %s are larger than they may be:\n    %s", name, strings.Join(found, "\n    "))
	suite.Should(ctx, "GEN-04", size <= wire.UsualAnswer, "%s has %d bytes. The default limit of gRPC, which the sidecars use, is %d bytes, so the call fails for them: return less, and lists in pages",
		name, size, wire.UsualAnswer)
}

// limitsOfVolumeID names a volume by an id that is too long, and that no volume has.
func limitsOfVolumeID() harness.Case {
	return harness.Case{
		ID:           "limits_of_volume_id",
		Text:         "returns INVALID_ARGUMENT or NOT_FOUND for a volume_id of 129 bytes",
		Requirements: []string{"GEN-04", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        claiming(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := validation.Request(driver, &csi.Volume{VolumeId: strings.Repeat("v", answers.StringBytes+1)}, driver.Capability())
			request.Parameters = driver.Profile().Plain().Parameters
			_, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)

			if err == nil && knowsAnyVolume(ctx, driver) {
				suite.Reduced(ctx, "ValidateVolumeCapabilities knows any volume_id, whatever its length: that is for validate_unknown_volume to judge")
				return
			}
			if err == nil {
				suite.Warn(ctx, "GEN-04", "ValidateVolumeCapabilities is OK for a volume_id of %d bytes, which no volume has", answers.StringBytes+1)
				return
			}
			harness.ExpectInvalidRefused(ctx, "GEN-12", err, "a volume_id that is too long is INVALID_ARGUMENT, or NOT_FOUND because no volume has it", codes.InvalidArgument, codes.NotFound)
		},
	}
}

// knowsAnyVolume reports whether ValidateVolumeCapabilities is OK for a volume that does not exist, with a volume_id of the
// driver's own form.
func knowsAnyVolume(ctx context.Context, driver *harness.Driver) bool {
	nobodys := &csi.Volume{VolumeId: absent.Unlike(needVolume(ctx, driver).GetVolumeId())}
	_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, nobodys, driver.Capability()))
	return err == nil
}

// limitsOfParameters sends a map that is too large. The limit binds the sender: a driver may accept it.
func limitsOfParameters() harness.Case {
	return harness.Case{
		ID:           "limits_of_parameters",
		Text:         "accepts parameters of more than 4 KiB, or returns INVALID_ARGUMENT for them",
		Requirements: []string{"GEN-04", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        claiming(),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := driver.CreateVolumeRequest(driver.Volume(1).Within(driver.Zones(1)...))
			request.Parameters = maps.Clone(request.GetParameters())
			if request.Parameters == nil {
				request.Parameters = map[string]string{}
			}
			for i := range answers.MapBytes/answers.StringBytes + 1 {
				request.Parameters[fmt.Sprintf("csi-topo-%d", i)] = strings.Repeat("p", answers.StringBytes)
			}
			_, err := driver.Controller.CreateVolume(ctx, request)

			if err != nil {
				skipIfFull(status.Code(err), "CreateVolume")
				harness.ExpectInvalidRefused(ctx, "GEN-12", err, "parameters that are too large, or not known, are INVALID_ARGUMENT", codes.InvalidArgument)
			}
		},
	}
}
