package service

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// mountFlagsLimit is how many bytes mount_flags may have altogether (CSI spec, VolumeCapability).
const mountFlagsLimit = 4 << 10

// accessModes returns those that every volume has: all for one node at a time.
func accessModes() []csi.VolumeCapability_AccessMode_Mode {
	return []csi.VolumeCapability_AccessMode_Mode{
		csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER,
		csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER,
	}
}

// checkCapabilities answers INVALID_ARGUMENT if there are none, or one of them
// is not what a volume can do (CV-12, CV-16, CV-17).
func checkCapabilities(capabilities []*csi.VolumeCapability) error {
	if len(capabilities) == 0 {
		return status.Error(codes.InvalidArgument, "volume_capabilities is required and was empty")
	}
	for _, capability := range capabilities {
		if err := checkCapability(capability); err != nil {
			return err
		}
	}
	return nil
}

// checkCapability answers INVALID_ARGUMENT if the capability is incomplete, or
// not what a volume can do.
func checkCapability(capability *csi.VolumeCapability) error {
	mount, err := mountOf(capability, codes.InvalidArgument)
	if err != nil {
		return err
	}
	if mode := capability.GetAccessMode().GetMode(); !slices.Contains(accessModes(), mode) {
		return status.Errorf(codes.InvalidArgument, "access mode %s is not supported: supported are %v", mode, accessModes())
	}
	if fsType := mount.GetFsType(); !slices.Contains([]string{"", "xfs", "ext4"}, fsType) {
		return status.Errorf(codes.InvalidArgument, "file system %q is not supported: ask for xfs or ext4", fsType)
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
