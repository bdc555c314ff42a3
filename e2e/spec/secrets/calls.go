// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/groups"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/publication"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/snapshots"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/validation"
)

// controller returns the needs of a controller call about a volume.
func controller(capabilities ...csi.ControllerServiceCapability_RPC_Type) []harness.Need {
	return harness.Needs(harness.Volumes(1), harness.Claims(capabilities...))
}

// onNode returns the needs of a call about a volume on a node.
func onNode(capabilities ...csi.NodeServiceCapability_RPC_Type) []harness.Need {
	return harness.Needs(harness.Nodes(1), harness.Volumes(1), harness.NodeClaims(capabilities...))
}

// calls returns all calls that have a field for secrets, except the group controller's.
func calls() []call {
	publishes := harness.Needs(controller(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME), harness.Nodes(1))
	modifies := harness.Needs(controller(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME), harness.Mutable())
	return []call{
		{
			"CreateVolume", controller(), func(s profile.Secrets) map[string]string { return s.CreateVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := driver.CreateVolumeRequest(driver.Volume(1))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.CreateVolume(ctx, request)
					return err
				}
			},
		},
		{
			"DeleteVolume", controller(), func(s profile.Secrets) map[string]string { return s.DeleteVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := deletion.Request(driver, volumeFor(ctx, driver))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.DeleteVolume(ctx, request)
					return err
				}
			},
		},
		{
			"ControllerPublishVolume", publishes, func(s profile.Secrets) map[string]string { return s.ControllerPublishVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := publication.AttachRequest(driver, volumeFor(ctx, driver), driver.Nodes[0])
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ControllerPublishVolume(ctx, request)
					return err
				}
			},
		},
		{
			"ControllerUnpublishVolume", publishes, func(s profile.Secrets) map[string]string { return s.ControllerUnpublishVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				volume := volumeFor(ctx, driver)
				publication.Attach(ctx, driver, volume, driver.Nodes[0])
				request := publication.DetachRequest(driver, volume, driver.Nodes[0])
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ControllerUnpublishVolume(ctx, request)
					return err
				}
			},
		},
		{
			"ValidateVolumeCapabilities", controller(), func(s profile.Secrets) map[string]string { return s.ValidateVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := validation.Request(driver, volumeFor(ctx, driver), driver.Capability())
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)
					return err
				}
			},
		},
		{
			"ControllerExpandVolume", controller(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME), func(s profile.Secrets) map[string]string { return s.ControllerExpandVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := growth.ControllerRequest(driver, volumeFor(ctx, driver), 2*driver.Size())
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ControllerExpandVolume(ctx, request)
					harness.NeedRoomToGrow(ctx, driver, request, err)
					return err
				}
			},
		},
		{
			"ControllerModifyVolume", modifies, func(s profile.Secrets) map[string]string { return s.ControllerModifyVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				volume := volumeFor(ctx, driver)
				return func(ctx context.Context, secrets map[string]string) error {
					_, err := driver.Controller.ControllerModifyVolume(ctx, &csi.ControllerModifyVolumeRequest{
						VolumeId: volume.GetVolumeId(), MutableParameters: maps.Clone(driver.Profile().MutableParameters), Secrets: secrets,
					})
					return err
				}
			},
		},
		{
			"CreateSnapshot", controller(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT), func(s profile.Secrets) map[string]string { return s.CreateSnapshot },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := snapshots.CreateRequest(driver, volumeFor(ctx, driver))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.CreateSnapshot(ctx, request)
					return err
				}
			},
		},
		{
			"DeleteSnapshot", controller(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT), func(s profile.Secrets) map[string]string { return s.DeleteSnapshot },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := snapshots.DeleteRequest(driver, snapshots.Need(ctx, driver, volumeFor(ctx, driver)))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.DeleteSnapshot(ctx, request)
					return err
				}
			},
		},
		{
			"ListSnapshots", harness.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS),
			func(s profile.Secrets) map[string]string { return s.ListSnapshots },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				return func(ctx context.Context, secrets map[string]string) error {
					_, err := driver.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{Secrets: secrets})
					return err
				}
			},
		},
		{
			"CreateVolumeGroupSnapshot", grouping(), ofGroups,
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := groups.CreateRequest(driver, volumeFor(ctx, driver))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Groups.CreateVolumeGroupSnapshot(ctx, request)
					return err
				}
			},
		},
		{
			"DeleteVolumeGroupSnapshot", grouping(), ofGroups,
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := groups.DeleteRequest(driver, groups.Need(ctx, driver, volumeFor(ctx, driver)))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Groups.DeleteVolumeGroupSnapshot(ctx, request)
					return err
				}
			},
		},
		{
			"GetVolumeGroupSnapshot", grouping(), ofGroups,
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				request := groups.GetRequest(driver, groups.Need(ctx, driver, volumeFor(ctx, driver)))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Groups.GetVolumeGroupSnapshot(ctx, request)
					return err
				}
			},
		},
		{
			"NodeStageVolume", onNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME), func(s profile.Secrets) map[string]string { return s.NodeStageVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				node, volume := driver.Nodes[0], volumeFor(ctx, driver)
				request := publication.StageRequest(ctx, node, volume, publication.Attach(ctx, driver, volume, node))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := node.NodeStageVolume(ctx, request)
					return err
				}
			},
		},
		{
			"NodePublishVolume", onNode(), func(s profile.Secrets) map[string]string { return s.NodePublishVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				node := driver.Nodes[0]
				request := publication.Request(ctx, node, publication.Stage(ctx, node, volumeFor(ctx, driver)))
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := node.NodePublishVolume(ctx, request)
					return err
				}
			},
		},
		{
			"NodeExpandVolume", onNode(csi.NodeServiceCapability_RPC_EXPAND_VOLUME), func(s profile.Secrets) map[string]string { return s.NodeExpandVolume },
			func(ctx context.Context, driver *harness.Driver) func(context.Context, map[string]string) error {
				node := driver.Nodes[0]
				request := growth.NodeRequest(node, publication.Publish(ctx, node, volumeFor(ctx, driver)), driver.Size())
				return func(ctx context.Context, secrets map[string]string) error {
					request.Secrets = secrets
					_, err := node.NodeExpandVolume(ctx, request)
					return err
				}
			},
		},
	}
}

// grouping returns the needs of calls for group snapshots, and ofGroups their secrets.
func grouping() []harness.Need { return harness.Needs(harness.GroupSnapshots(), controller()) }

func ofGroups(s profile.Secrets) map[string]string { return s.GroupSnapshot }
