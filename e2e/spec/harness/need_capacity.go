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
			"ControllerGetCapabilities does not list GET_CAPACITY, and the profile has no hook that exhausts a segment")
	}), need("", suite.ByCapability, func(d *Driver) string {
		return unless(d.Target.Exhaust != nil || !d.Target.refused.single,
			"CreateVolume takes no fewer topologies in a list than there are, which other cases judge, so that volumes fill no segment for certain")
	}), need("", suite.ByProfile, func(d *Driver) string {
		return unless(d.Target.Exhaust != nil || !d.Profile().Capacity.Untracked(),
			"the profile says that capacity is untracked, and has no hook that exhausts a segment")
	}))
}

// TrackedCapacity needs that GetCapacity says what volumes can have.
func TrackedCapacity() []Need {
	return Needs(Alone(), Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY), need("tracked-capacity", suite.ByProfile, func(d *Driver) string {
		return unless(!d.Profile().Capacity.Untracked(), "the profile says that capacity is untracked")
	}))
}

// ExactCapacity needs that GetCapacity says so to the byte.
func ExactCapacity() []Need {
	return Needs(CalledExact(), need("", suite.ByProfile, func(d *Driver) string {
		return unless(d.Profile().Capacity.Exact(), "the profile says that capacity is exact, and GetCapacity answers otherwise when it is asked again: see the case capacity_asked_again")
	}))
}

// CalledExact needs that the profile says so of GetCapacity, whether that is true or not.
func CalledExact() []Need {
	return Needs(Alone(), Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY), need("exact-capacity", suite.ByProfile, func(d *Driver) string {
		says := fmt.Sprintf("the profile says that capacity is %s, not exact", d.Target.Profile.Capacity)
		if d.Target.Profile.Capacity == "" {
			says = "the profile does not say that capacity is exact"
		}
		return unless(d.Target.Profile.Capacity.Exact(), "%s", says)
	}))
}
