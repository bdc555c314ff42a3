// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Cases that take the room of a segment away, or look at capacity, run alone.

// Exhaustion needs a way to take away all the room of a segment: GET_CAPACITY or the profile's hook.
func Exhaustion() []Need {
	return Needs(Alone(), need("exhaustion", suite.ByCapability, func(d *Driver) string {
		return unless(d.Target.Exhaust != nil || d.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY),
			"ControllerGetCapabilities does not list GET_CAPACITY, and the profile has no exhaust, whose programs take the room of a segment away")
	}), need("", suite.ByCapability, func(d *Driver) string {
		return unless(d.Target.Exhaust != nil || !d.Target.refused.single,
			"CreateVolume accepts only lists of all topologies (other cases judge that), so volumes are not certain to fill a segment")
	}), need("", suite.ByProfile, func(d *Driver) string {
		return unless(d.Target.Exhaust != nil || !d.Profile().Capacity.Untracked(),
			"the profile says that capacity is untracked, and has no exhaust, whose programs take the room of a segment away")
	}))
}

// TrackedCapacity needs GetCapacity to report the room for volumes.
func TrackedCapacity() []Need {
	return Needs(Alone(), Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY), need("tracked-capacity", suite.ByProfile, func(d *Driver) string {
		return unless(!d.Profile().Capacity.Untracked(), "the profile says that capacity is untracked")
	}))
}

// ExactCapacity needs GetCapacity to report the room for volumes to the byte.
func ExactCapacity() []Need {
	return Needs(CalledExact(), need("", suite.ByProfile, func(d *Driver) string {
		return unless(d.claims.inexact == "", "the profile says that capacity is exact, but %s; say at-least in the profile, or report exactly", d.claims.inexact)
	}))
}

// CalledExact needs the profile to call GetCapacity exact, whether that is true or not.
func CalledExact() []Need {
	return Needs(Alone(), Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY), need("exact-capacity", suite.ByProfile, func(d *Driver) string {
		says := fmt.Sprintf("the profile says that capacity is %s, not exact", d.Target.Profile.Capacity)
		if d.Target.Profile.Capacity == "" {
			says = "the profile does not say that capacity is exact"
		}
		return unless(d.Target.Profile.Capacity.Exact(), "%s", says)
	}))
}
