// SPDX-License-Identifier: Apache-2.0

package service

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// requireCapability returns INVALID_ARGUMENT for a capability that is missing, or misses a required field (GEN-11).
func requireCapability(c *csi.VolumeCapability) error {
	missing := ""
	switch {
	case c == nil:
		missing = "volume_capability"
	case c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_UNKNOWN:
		missing = "volume_capability.access_mode"
	case c.GetMount() == nil && c.GetBlock() == nil:
		missing = "volume_capability.access_type"
	default:
		return nil
	}
	return status.Errorf(codes.InvalidArgument, "%s is required and was empty", missing)
}

// checkUsable returns the code unfit for a complete capability that volumes of that kind do not have, for the same
// reasons as the controller. The code differs by RPC: FAILED_PRECONDITION to stage and publish, INVALID_ARGUMENT to
// expand (CSI spec, "Exceeds capabilities" in their tables). It returns NOT_FOUND as requireOurs does.
func checkUsable(volumeID string, c *csi.VolumeCapability, unfit codes.Code) error {
	kind, ours := volume.KindOf(volumeID)
	if !ours {
		return requireOurs(volumeID)
	}
	if err := checkCapability(kind, c); err != nil {
		return status.Error(unfit, status.Convert(err).Message())
	}
	return nil
}

// readersOnly reports whether the access mode has no writers.
func readersOnly(m csi.VolumeCapability_AccessMode_Mode) bool {
	return m == csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY ||
		m == csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY
}

// shared reports whether the access mode allows the volume at several target paths of
// one node (CSI spec, NodePublishVolume, the table of second calls).
func shared(m csi.VolumeCapability_AccessMode_Mode) bool {
	return m == csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER || multiNode(m)
}
