// SPDX-License-Identifier: Apache-2.0

package own

import (
	"errors"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// MayTouch returns an error if the request would delete, change or use an object that does not belong to the run.
func (r *Register) MayTouch(request any) error {
	if why := r.ChangesLent(request); why != "" {
		return errors.New(why)
	}
	for kind, ids := range touched(request) {
		for _, id := range ids {
			if why := r.Why(kind, id); why != "" && !r.isLent(kind, id) {
				return fmt.Errorf("the suite does not touch %s %q: %s", kind, id, why)
			}
		}
	}
	return nil
}

// ChangesLent explains why a request that deletes or changes a volume that is lent is not made. It is empty for any
// other.
func (r *Register) ChangesLent(request any) string {
	switch request := request.(type) {
	case *csi.DeleteVolumeRequest, *csi.ControllerExpandVolumeRequest, *csi.ControllerModifyVolumeRequest:
		if id := request.(interface{ GetVolumeId() string }).GetVolumeId(); r.isLent(Volume, id) {
			return fmt.Sprintf("the profile's existing volume, %q, is neither deleted nor changed", id)
		}
	}
	return ""
}

// touched returns the ids of the objects that the request would delete, change or use. Neither reading nor copying an
// object touches it.
func touched(request any) map[Kind][]string {
	switch r := request.(type) {
	case *csi.ValidateVolumeCapabilitiesRequest, *csi.ControllerGetVolumeRequest, *csi.ControllerGetVolumeHealthRequest,
		*csi.NodeGetVolumeStatsRequest, *csi.NodeGetVolumeHealthRequest, *csi.GetSnapshotRequest, *csi.GetVolumeGroupSnapshotRequest:
		return nil
	case *csi.CreateSnapshotRequest:
		return map[Kind][]string{Volume: {r.GetSourceVolumeId()}}
	case *csi.CreateVolumeGroupSnapshotRequest:
		return map[Kind][]string{Volume: r.GetSourceVolumeIds()}
	case *csi.DeleteVolumeGroupSnapshotRequest:
		return map[Kind][]string{Group: {r.GetGroupSnapshotId()}, Snapshot: r.GetSnapshotIds()}
	case interface{ GetVolumeId() string }:
		return map[Kind][]string{Volume: {r.GetVolumeId()}}
	case interface{ GetSnapshotId() string }:
		return map[Kind][]string{Snapshot: {r.GetSnapshotId()}}
	default:
		return nil
	}
}
