// SPDX-License-Identifier: Apache-2.0

package messages

import "github.com/container-storage-interface/spec/lib/go/csi"

// FromSnapshot returns a content source that is the snapshot.
func FromSnapshot(snapshotID string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
		Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: snapshotID},
	}}
}

// FromVolume returns a content source that is the volume: the new volume is its clone.
func FromVolume(volumeID string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
		Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: volumeID},
	}}
}
