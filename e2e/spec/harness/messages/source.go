// SPDX-License-Identifier: Apache-2.0

package messages

import "github.com/container-storage-interface/spec/lib/go/csi"

// FromSnapshot makes the snapshot the source of a new volume, and FromVolume makes a volume that.
func FromSnapshot(snapshotID string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
		Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: snapshotID},
	}}
}

// FromVolume makes the volume the source of a new one, which is its clone.
func FromVolume(volumeID string) *csi.VolumeContentSource {
	return &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Volume{
		Volume: &csi.VolumeContentSource_VolumeSource{VolumeId: volumeID},
	}}
}
