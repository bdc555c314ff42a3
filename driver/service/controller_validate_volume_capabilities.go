// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// validateVolumeCapabilities confirms the requested capabilities only if the volume has all of them, and otherwise
// explains in message why not. It returns NOT_FOUND for an unknown volume, and INVALID_ARGUMENT if no capabilities are
// given.
func (c *controller) validateVolumeCapabilities(_ context.Context, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
	if err := checkVolumeID(r.GetVolumeId()); err != nil {
		return nil, err
	}
	if len(r.GetVolumeCapabilities()) == 0 {
		return nil, status.Error(codes.InvalidArgument, "volume_capabilities is required and was empty")
	}
	v, err := c.findVolume(r.GetVolumeId())
	if err != nil {
		return nil, err
	}
	if err := checkCapabilities(kindOf(v.ID), r.GetVolumeCapabilities()); err != nil {
		return unconfirmed(status.Convert(err).Message()), nil
	}
	if err := checkVolumeContext(r.GetVolumeContext()); err != nil {
		return unconfirmed(status.Convert(err).Message()), nil
	}
	if allocated, err := parseMutable(r.GetMutableParameters(), kindOf(v.ID), v.Allocated); err != nil {
		return unconfirmed(status.Convert(err).Message()), nil
	} else if allocated != v.Allocated {
		return unconfirmed(fmt.Sprintf("the volume has its bytes allocated: %t, requested: %t (mutable parameter %q)", v.Allocated, allocated, allocationParameter)), nil
	}
	if len(r.GetParameters()) > 0 {
		asked, err := c.parseParameters(r.GetParameters())
		if err != nil {
			return unconfirmed(status.Convert(err).Message()), nil
		}
		if asked.zones != len(v.Segments) {
			return unconfirmed(fmt.Sprintf("the volume is accessible from %d segment(s), not %d", len(v.Segments), asked.zones)), nil
		}
		if asked.kind != kindOf(v.ID) || asked.class != v.Class {
			return unconfirmed(fmt.Sprintf("the volume is of kind %q and class %q, not %q and %q", kindOf(v.ID), v.Class, asked.kind, asked.class)), nil
		}
	}
	return &csi.ValidateVolumeCapabilitiesResponse{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{
		VolumeContext:      r.GetVolumeContext(),
		VolumeCapabilities: r.GetVolumeCapabilities(),
		Parameters:         r.GetParameters(),
		MutableParameters:  r.GetMutableParameters(),
	}}, nil
}

// unconfirmed returns the reason in message, shortened to the maximum size of a field (GEN-04).
func unconfirmed(why string) *csi.ValidateVolumeCapabilitiesResponse {
	return &csi.ValidateVolumeCapabilitiesResponse{Message: shortened(why, stringLimit)}
}
