// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// repeatedOfDeleted returns the cases about calls that were OK, and are repeated after their volume was deleted: a driver
// that answers them from memory confirms a volume that does not exist, and so does one that keeps a record of a volume for
// its copies.
func repeatedOfDeleted() []harness.Case {
	var cases []harness.Case
	for _, v := range []struct {
		id, rpc, clause string
		needs           []harness.Need
		// answered makes a volume, makes the call, which must be OK, and returns a function that repeats it.
		answered func(ctx context.Context, driver *harness.Driver) (volume *csi.Volume, repeat func() error)
	}{
		{"deleted_after_validation", "ValidateVolumeCapabilities", "VV-03", harness.Volumes(2), validated},
		{"deleted_after_growth", "ControllerExpandVolume", "CE-17", harness.Needs(harness.Volumes(2), harness.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)), grown},
		{"deleted_after_modification", "ControllerModifyVolume", "MV-05", mutableNeeds(), modifiedOnce},
		{"deleted_after_detachment", "ControllerPublishVolume", "CP-31", harness.Needs(harness.Volumes(2), harness.Nodes(1), harness.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)), detached},
	} {
		cases = append(cases, harness.Case{
			ID:           v.id,
			Text:         "returns NOT_FOUND when " + v.rpc + " of a volume is repeated after it was deleted, also where its copies stay",
			Requirements: []string{v.clause, "GEN-15", "GEN-16"},
			Needs:        v.needs,
			Run: func(ctx context.Context, driver *harness.Driver) {
				volume, repeat := v.answered(ctx, driver)
				deletion.Need(ctx, driver, volume)

				deletion.ExpectUnknown(ctx, driver, v.clause, volume, v.rpc, repeat)
				if !makesCopies(driver) {
					return
				}
				volume, repeat = v.answered(ctx, driver)
				if !deletesCopied(ctx, driver, volume) {
					suite.Reduced(ctx, "the driver does not delete a volume that has copies")
					return
				}
				deletion.ExpectUnknown(ctx, driver, v.clause, volume, v.rpc, repeat)
			},
		})
	}
	return cases
}

func makesCopies(driver *harness.Driver) bool {
	return driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) || driver.Claims(csi.ControllerServiceCapability_RPC_CLONE_VOLUME)
}

// deletesCopied copies a volume in the ways that the driver claims, and reports whether the driver deletes it then. A driver may
// refuse to.
func deletesCopied(ctx context.Context, driver *harness.Driver, volume *csi.Volume) bool {
	if driver.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
		request := snapshots.CreateRequest(driver, volume)
		if _, err := driver.Controller.CreateSnapshot(ctx, request); err != nil {
			return false
		}
		snapshots.NeedReady(ctx, driver, request)
	}
	if driver.Claims(csi.ControllerServiceCapability_RPC_CLONE_VOLUME) {
		request := creation(driver)
		request.VolumeContentSource, request.CapacityRange = messages.FromVolume(volume.GetVolumeId()), nil
		_, _ = driver.Controller.CreateVolume(ctx, request) // other cases judge it
	}
	_, err := driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
	return err == nil
}

func validated(ctx context.Context, driver *harness.Driver) (*csi.Volume, func() error) {
	volume := mustCreate(ctx, driver, creation(driver))
	return volume, needAnswered(func() error {
		_, err := driver.Controller.ValidateVolumeCapabilities(ctx, validation.Request(driver, volume, driver.Capability()))
		return err
	})
}

func grown(ctx context.Context, driver *harness.Driver) (*csi.Volume, func() error) {
	volume := mustCreate(ctx, driver, creation(driver))
	request := growth.ControllerRequest(driver, volume, growth.Size(driver))
	return volume, needAnswered(func() error {
		_, err := driver.Controller.ControllerExpandVolume(ctx, request)
		harness.NeedRoomToGrow(ctx, driver, request, err)
		return err
	})
}

func modifiedOnce(ctx context.Context, driver *harness.Driver) (*csi.Volume, func() error) {
	volume := mustCreate(ctx, driver, creation(driver))
	return volume, needAnswered(func() error {
		_, err := driver.Controller.ControllerModifyVolume(ctx, modification(driver, volume))
		return err
	})
}

func detached(ctx context.Context, driver *harness.Driver) (*csi.Volume, func() error) {
	node := driver.Nodes[0]
	volume := driver.NeedVolume(ctx, driver.VolumeFor(node))
	repeat := needAnswered(func() error {
		_, err := driver.Controller.ControllerPublishVolume(ctx, publication.AttachRequest(driver, volume, node))
		return err
	})
	harness.NeedOK(driver.Controller.ControllerUnpublishVolume(ctx, publication.DetachRequest(driver, volume, node)))
	return volume, repeat
}

// needAnswered makes the call, which the case depends on, and returns it.
func needAnswered(call func() error) func() error {
	harness.NeedOK(struct{}{}, call())
	return call
}
