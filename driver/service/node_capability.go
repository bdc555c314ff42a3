package service

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// mountOf returns the mount that the capability asks for. It answers
// INVALID_ARGUMENT for a capability that misses a required field, and unfit for
// one that is complete but asks for what these volumes cannot do.
func mountOf(c *csi.VolumeCapability, unfit codes.Code) (*csi.VolumeCapability_MountVolume, error) {
	if c == nil {
		return nil, status.Error(codes.InvalidArgument, "volume_capability is required and was empty")
	}
	if c.GetAccessMode().GetMode() == csi.VolumeCapability_AccessMode_UNKNOWN {
		return nil, status.Error(codes.InvalidArgument, "volume_capability.access_mode is required and was empty")
	}
	switch {
	case c.GetMount() != nil:
		return c.GetMount(), nil
	case c.GetBlock() != nil:
		return nil, status.Error(unfit, "block access is not supported: ask for a mount")
	default:
		return nil, status.Error(codes.InvalidArgument, "volume_capability.access_type is required and was empty")
	}
}

// usableMountOf returns the mount that the capability asks for, and answers unfit
// where a volume of this driver cannot be used on a node in the way asked.
func usableMountOf(c *csi.VolumeCapability, unfit codes.Code) (*csi.VolumeCapability_MountVolume, error) {
	mount, err := mountOf(c, unfit)
	if err != nil {
		return nil, err
	}
	if mode := c.GetAccessMode().GetMode(); !slices.Contains(accessModes(), mode) {
		return nil, status.Errorf(unfit, "access mode %s is not supported: supported are %v", mode, accessModes())
	}
	return mount, nil
}

// readerOnly tells whether the access mode has no writer at all.
func readerOnly(m csi.VolumeCapability_AccessMode_Mode) bool {
	return m == csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
}
