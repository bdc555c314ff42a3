// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"maps"
	"slices"
)

// Secrets are sent with the calls of their names.
type Secrets struct {
	// CreateVolume is sent with CreateVolume.
	CreateVolume map[string]string `yaml:"createVolume"`
	// DeleteVolume is sent with DeleteVolume.
	DeleteVolume map[string]string `yaml:"deleteVolume"`
	// ControllerPublishVolume is sent with ControllerPublishVolume.
	ControllerPublishVolume map[string]string `yaml:"controllerPublishVolume"`
	// ControllerUnpublishVolume is sent with ControllerUnpublishVolume.
	ControllerUnpublishVolume map[string]string `yaml:"controllerUnpublishVolume"`
	// ValidateVolume is sent with ValidateVolumeCapabilities.
	ValidateVolume map[string]string `yaml:"validateVolumeCapabilities"`
	// ControllerExpandVolume is sent with ControllerExpandVolume.
	ControllerExpandVolume map[string]string `yaml:"controllerExpandVolume"`
	// ControllerModifyVolume is sent with ControllerModifyVolume.
	ControllerModifyVolume map[string]string `yaml:"controllerModifyVolume"`
	// CreateSnapshot is sent with CreateSnapshot.
	CreateSnapshot map[string]string `yaml:"createSnapshot"`
	// DeleteSnapshot is sent with DeleteSnapshot.
	DeleteSnapshot map[string]string `yaml:"deleteSnapshot"`
	// ListSnapshots is sent with ListSnapshots.
	ListSnapshots map[string]string `yaml:"listSnapshots"`
	// GroupSnapshot is sent with CreateVolumeGroupSnapshot, DeleteVolumeGroupSnapshot and GetVolumeGroupSnapshot.
	GroupSnapshot map[string]string `yaml:"groupSnapshot"`
	// SnapshotMetadata is sent with GetMetadataAllocated and GetMetadataDelta.
	SnapshotMetadata map[string]string `yaml:"snapshotMetadata"`
	// NodeStageVolume is sent with NodeStageVolume.
	NodeStageVolume map[string]string `yaml:"nodeStageVolume"`
	// NodePublishVolume is sent with NodePublishVolume.
	NodePublishVolume map[string]string `yaml:"nodePublishVolume"`
	// NodeExpandVolume is sent with NodeExpandVolume.
	NodeExpandVolume map[string]string `yaml:"nodeExpandVolume"`
}

// Values returns the values of all secrets, with duplicates.
func (s Secrets) Values() []string {
	var values []string
	for _, secrets := range []map[string]string{
		s.CreateVolume, s.DeleteVolume, s.ControllerPublishVolume, s.ControllerUnpublishVolume, s.ValidateVolume,
		s.ControllerExpandVolume, s.ControllerModifyVolume, s.CreateSnapshot, s.DeleteSnapshot, s.ListSnapshots,
		s.GroupSnapshot, s.SnapshotMetadata,
		s.NodeStageVolume, s.NodePublishVolume, s.NodeExpandVolume,
	} {
		values = slices.AppendSeq(values, maps.Values(secrets))
	}
	return values
}
