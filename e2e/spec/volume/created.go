// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// created returns the cases about the volume that CreateVolume returns.
func created() []harness.Case {
	return []harness.Case{volumeCreated(), volumeSameName(), volumeIDsUnique(), volumeIDAlone()}
}

func volumeCreated() harness.Case {
	return harness.Case{
		ID:           "volume_created",
		Text:         "creates a volume and returns its volume_id",
		Requirements: []string{"CV-01", "GEN-08", "VOL-01", "VOL-02", "VOL-03"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			response, err := driver.Controller.CreateVolume(ctx, creation(driver))

			if status.Code(err) == codes.Unimplemented {
				harness.ExpectOK("CV-01", err, "CREATE_DELETE_VOLUME is claimed, so CreateVolume must be implemented")
			}
			skipWithoutRoom(err)
			volume := harness.NeedOK(response, err).GetVolume()
			suite.Must("VOL-03", volume.GetVolumeId() != "", "CreateVolume answered an empty volume_id, which is REQUIRED")
			suite.Must("VOL-02", volume.GetCapacityBytes() >= 0, "CreateVolume answered capacity_bytes %d, which must not be negative", volume.GetCapacityBytes())
		},
	}
}

// volumeSameName repeats a call, as a CO does after a lost answer.
func volumeSameName() harness.Case {
	return harness.Case{
		ID:           "volume_same_name",
		Text:         "returns the same volume when CreateVolume is repeated",
		Requirements: []string{"CV-02", "CV-03", "CV-07", "VOL-08", "VOL-12"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			request := creation(driver)
			volume := mustCreate(ctx, driver, request)

			more := driver.Held.Changes(ctx, func() {
				again, err := driver.Controller.CreateVolume(ctx, request)
				harness.ExpectOK("CV-02", err, "CreateVolume was repeated, and is idempotent")
				expectSame(again.GetVolume(), volume)
			})

			for _, change := range more {
				suite.Warn(ctx, "CV-07", "CreateVolume was repeated, and should not have created another piece of storage: %s", change)
			}
			if !showsVolumes(driver) {
				suite.Reduced(ctx, "nothing shows whether another piece of storage was created: capacity is not exact, and %s", driver.WhyVolumesUnlisted())
			}
		},
	}
}

// expectSame fails the case unless two answers are about the same volume. A capacity_bytes of 0 is unknown.
func expectSame(again, first *csi.Volume) {
	suite.Must("CV-02", again.GetVolumeId() == first.GetVolumeId(), "CreateVolume answered volume %s, and %s when repeated", first.GetVolumeId(), again.GetVolumeId())
	now, before := again.GetCapacityBytes(), first.GetCapacityBytes()
	suite.Must("CV-02", now == before || now == 0 || before == 0, "CreateVolume answered capacity_bytes %d, and %d when repeated", before, now)
	sameContext := len(again.GetVolumeContext()) == len(first.GetVolumeContext())
	for key, value := range first.GetVolumeContext() {
		sameContext = sameContext && again.GetVolumeContext()[key] == value
	}
	suite.Must("VOL-12", sameContext, "CreateVolume answered volume_context %s, and %s when repeated: one volume always has the same", describe.Map(first.GetVolumeContext()), describe.Map(again.GetVolumeContext()))
}

// volumeIDsUnique compares volumes of every segment, or of a sample of many, two of one, and several with names that a back
// end may not support: names of 128 bytes that differ in the last one, or names that differ in letter case or in a
// separator.
func volumeIDsUnique() harness.Case {
	return harness.Case{
		ID:           "volume_ids_unique",
		Text:         "gives each volume a volume_id of its own",
		Requirements: []string{"VOL-04", "GEN-04"},
		Needs:        harness.Volumes(4),
		Run: func(ctx context.Context, driver *harness.Driver) {
			requests := []*csi.CreateVolumeRequest{creation(driver)}
			for _, segment := range driver.Sample() {
				requests = append(requests, driver.CreateVolumeRequest(driver.Volume(1).Within(segment)))
			}
			requests = append(requests, creation(driver))
			similar := driver.SimilarNames()
			for _, name := range similar {
				request := creation(driver)
				request.Name = name
				requests = append(requests, request)
			}

			names := map[string]string{}
			for _, request := range requests {
				response, err := driver.Controller.CreateVolume(ctx, request)
				if status.Code(err) == codes.ResourceExhausted {
					continue // other segments may have room
				}
				if err != nil && slices.Contains(similar, request.GetName()) {
					continue // the back end may support no such names, or only some
				}
				expectShortID(harness.NeedOK(response, err).GetVolume())
				id := response.GetVolume().GetVolumeId()
				other, taken := names[id]
				suite.Must("VOL-04", !taken, "the volumes %q and %q have one volume_id, %s, and it identifies a volume uniquely", other, request.GetName(), id)
				names[id] = request.GetName()
			}
			if len(names) < 2 {
				suite.Skip(suite.ByEnvironment, "there is room for fewer than two volumes")
			}
		},
	}
}

// volumeIDAlone asks about a volume without its volume_context, which is OPTIONAL.
func volumeIDAlone() harness.Case {
	return harness.Case{
		ID:           "volume_id_alone",
		Text:         "should know a volume by its volume_id alone",
		Requirements: []string{"VOL-11"},
		Needs:        harness.Volumes(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := mustCreate(ctx, driver, creation(driver))

			question := validation.Request(driver, volume, driver.Capability())
			whole := harness.NeedOK(driver.Controller.ValidateVolumeCapabilities(ctx, question))
			question.VolumeContext = nil
			bare, err := driver.Controller.ValidateVolumeCapabilities(ctx, question)

			if err != nil {
				suite.Warn(ctx, "VOL-11", "volume_id alone should identify a volume, and ValidateVolumeCapabilities fails without volume_context\ngot: %s", describe.Status(err))
				return
			}
			suite.Should(ctx, "VOL-11", bare.GetConfirmed() != nil || whole.GetConfirmed() == nil,
				"volume_id alone should identify a volume, and ValidateVolumeCapabilities confirms nothing without volume_context: %q", bare.GetMessage())
		},
	}
}
