// SPDX-License-Identifier: Apache-2.0

package right

import (
	"slices"
	"sync/atomic"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// claiming returns a driver that lists the same capabilities in another order each time.
func claiming() []Driver {
	return []Driver{{
		Name:   "claims-in-any-order",
		Is:     "lists its capabilities in another order at every other call, like drivers that keep them in a map: the specification calls them a set (line 617)",
		Driver: mutation.Driver{Profile: exactDisks, Fault: inAnyOrder()},
	}}
}

// inAnyOrder makes a driver that reverses the order of its capabilities at every other call.
func inAnyOrder() mutation.Fault {
	var calls atomic.Int64
	turned := func() bool { return calls.Add(1)%2 == 0 }
	return mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
		if turned() {
			slices.Reverse(response.GetCapabilities())
		}
	}).And(mutation.Answering(func(_ *csi.ControllerGetCapabilitiesRequest, response *csi.ControllerGetCapabilitiesResponse) {
		if turned() {
			slices.Reverse(response.GetCapabilities())
		}
	})).And(mutation.Answering(func(_ *csi.NodeGetCapabilitiesRequest, response *csi.NodeGetCapabilitiesResponse) {
		if turned() {
			slices.Reverse(response.GetCapabilities())
		}
	}))
}
