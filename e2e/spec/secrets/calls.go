// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// controller is what a call of the controller needs, which is about a volume.
func controller(capabilities ...csi.ControllerServiceCapability_RPC_Type) harness.Needs {
	return harness.Needs{Volumes: 1, Controller: capabilities}
}

// onNode is what a call needs that is about a volume on a node.
func onNode(capabilities ...csi.NodeServiceCapability_RPC_Type) harness.Needs {
	return harness.Needs{Volumes: 1, Nodes: 1, Node: capabilities}
}

// calls are all that have a field for secrets, but for the group controller's.
func calls() []call {
	publishes := controller(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)
	publishes.Nodes = 1
	modifies := controller(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME)
	modifies.Mutable = true
	return []call{
		{
			"CreateVolume", controller(), func(s profile.Secrets) map[string]string { return s.CreateVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				request := driver.CreateVolumeRequest(driver.Volume(1))
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.CreateVolume(ctx, request)
					return err
				}
			},
		},
		{
			"DeleteVolume", controller(), func(s profile.Secrets) map[string]string { return s.DeleteVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				request := driver.DeleteVolumeRequest(volumeFor(ctx, driver))
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.DeleteVolume(ctx, request)
					return err
				}
			},
		},
		{
			"ControllerPublishVolume", publishes, func(s profile.Secrets) map[string]string { return s.ControllerPublishVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				request := driver.ControllerPublishVolumeRequest(volumeFor(ctx, driver), driver.Nodes[0])
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ControllerPublishVolume(ctx, request)
					return err
				}
			},
		},
		{
			"ControllerUnpublishVolume", publishes, func(s profile.Secrets) map[string]string { return s.ControllerUnpublishVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				volume := volumeFor(ctx, driver)
				driver.Attach(ctx, volume, driver.Nodes[0])
				request := driver.ControllerUnpublishVolumeRequest(volume, driver.Nodes[0])
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ControllerUnpublishVolume(ctx, request)
					return err
				}
			},
		},
		{
			"ValidateVolumeCapabilities", controller(), func(s profile.Secrets) map[string]string { return s.ValidateVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				volume := volumeFor(ctx, driver)
				request := &csi.ValidateVolumeCapabilitiesRequest{
					VolumeId: volume.GetVolumeId(), VolumeContext: volume.GetVolumeContext(), VolumeCapabilities: []*csi.VolumeCapability{driver.Capability()},
				}
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ValidateVolumeCapabilities(ctx, request)
					return err
				}
			},
		},
		{
			"ControllerExpandVolume", controller(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME), func(s profile.Secrets) map[string]string { return s.ControllerExpandVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				request := driver.ControllerExpandVolumeRequest(volumeFor(ctx, driver), 2*driver.Size())
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.ControllerExpandVolume(ctx, request)
					return err
				}
			},
		},
		{
			"ControllerModifyVolume", modifies, func(s profile.Secrets) map[string]string { return s.ControllerModifyVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				volume := volumeFor(ctx, driver)
				return func(secrets map[string]string) error {
					_, err := driver.Controller.ControllerModifyVolume(ctx, &csi.ControllerModifyVolumeRequest{
						VolumeId: volume.GetVolumeId(), MutableParameters: maps.Clone(driver.Profile().MutableParameters), Secrets: secrets,
					})
					return err
				}
			},
		},
		{
			"CreateSnapshot", controller(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT), func(s profile.Secrets) map[string]string { return s.CreateSnapshot },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				request := driver.CreateSnapshotRequest(volumeFor(ctx, driver))
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.CreateSnapshot(ctx, request)
					return err
				}
			},
		},
		{
			"DeleteSnapshot", controller(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT), func(s profile.Secrets) map[string]string { return s.DeleteSnapshot },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				request := driver.DeleteSnapshotRequest(driver.NeedSnapshot(ctx, volumeFor(ctx, driver)))
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := driver.Controller.DeleteSnapshot(ctx, request)
					return err
				}
			},
		},
		{
			"ListSnapshots", harness.Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS}},
			func(s profile.Secrets) map[string]string { return s.ListSnapshots },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				return func(secrets map[string]string) error {
					_, err := driver.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{Secrets: secrets})
					return err
				}
			},
		},
		{
			"NodeStageVolume", onNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME), func(s profile.Secrets) map[string]string { return s.NodeStageVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				node, volume := driver.Nodes[0], volumeFor(ctx, driver)
				request := node.NodeStageVolumeRequest(ctx, volume, driver.Attach(ctx, volume, node))
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := node.NodeStageVolume(ctx, request)
					return err
				}
			},
		},
		{
			"NodePublishVolume", onNode(), func(s profile.Secrets) map[string]string { return s.NodePublishVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				node := driver.Nodes[0]
				request := node.NodePublishVolumeRequest(ctx, node.Stage(ctx, volumeFor(ctx, driver)))
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := node.NodePublishVolume(ctx, request)
					return err
				}
			},
		},
		{
			"NodeExpandVolume", onNode(csi.NodeServiceCapability_RPC_EXPAND_VOLUME), func(s profile.Secrets) map[string]string { return s.NodeExpandVolume },
			func(ctx context.Context, driver *harness.Driver) func(map[string]string) error {
				node := driver.Nodes[0]
				request := node.NodeExpandVolumeRequest(node.Publish(ctx, volumeFor(ctx, driver)), driver.Size())
				return func(secrets map[string]string) error {
					request.Secrets = secrets
					_, err := node.NodeExpandVolume(ctx, request)
					return err
				}
			},
		},
	}
}
