// SPDX-License-Identifier: Apache-2.0

package service

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// mountFlagsLimit is the maximum size of mount_flags together, in bytes (CSI spec,
// VolumeCapability).
const mountFlagsLimit = 4 << 10

// checkCapabilities returns INVALID_ARGUMENT if none are given, or a volume of the kind cannot do one of them (CV-12,
// CV-16, CV-17).
func checkCapabilities(kind volume.Kind, capabilities []*csi.VolumeCapability) error {
	if len(capabilities) == 0 {
		return status.Error(codes.InvalidArgument, "volume_capabilities is required and was empty")
	}
	for _, capability := range capabilities {
		if err := checkCapability(kind, capability); err != nil {
			return err
		}
	}
	return nil
}

// checkCapability returns INVALID_ARGUMENT if the capability is incomplete, or a volume of the kind cannot do it.
func checkCapability(kind volume.Kind, c *csi.VolumeCapability) error {
	if c == nil {
		return status.Error(codes.InvalidArgument, "volume_capability is required and was empty")
	}
	mode := c.GetAccessMode().GetMode()
	if mode == csi.VolumeCapability_AccessMode_UNKNOWN {
		return status.Error(codes.InvalidArgument, "volume_capability.access_mode is required and was empty")
	}
	if !slices.Contains(accessModes(kind), mode) {
		return status.Errorf(codes.InvalidArgument, "a volume of kind %q does not have access mode %s: it has %v", kind, mode, accessModes(kind))
	}
	switch {
	case c.GetMount() != nil:
		return checkMount(kind, c.GetMount())
	case c.GetBlock() == nil:
		return status.Error(codes.InvalidArgument, "volume_capability.access_type is required and was empty")
	case !kind.Block():
		return status.Errorf(codes.InvalidArgument, "a volume of kind %q is not a block device: request a mount", kind)
	}
	return nil
}

func checkMount(kind volume.Kind, mount *csi.VolumeCapability_MountVolume) error {
	fsType := mount.GetFsType()
	if allowed := kind.FileSystems(); fsType != "" && !slices.Contains(allowed, fsType) {
		return status.Errorf(codes.InvalidArgument, "a volume of kind %q cannot have file system %q: ask for none, or one of %v", kind, fsType, allowed)
	}
	if mount.GetVolumeMountGroup() != "" {
		return status.Error(codes.InvalidArgument, "volume_mount_group is not supported: leave it empty")
	}
	total := 0
	for _, flag := range mount.GetMountFlags() {
		total += len(flag)
	}
	if total > mountFlagsLimit {
		return status.Errorf(codes.InvalidArgument, "mount_flags have %d bytes, and may have %d", total, mountFlagsLimit)
	}
	return nil
}
