// SPDX-License-Identifier: Apache-2.0

// Package provisioning has the cluster tier's cases about the requests of the provisioner to the driver, and about its
// handling of the answers. They check recorded calls, and inject answers to some.
package provisioning

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// gi returns n gibibytes.
func gi(n int64) *resource.Quantity { return resource.NewQuantity(n<<30, resource.BinarySI) }

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "provisioning", Cases: slices.Concat(provisionCode(), []harness.Case{
		provisionAsksForZone(),
		provisionAsksForAll(),
		provisionAsksForGhost(),
		provisionAsksInVain(),
		provisionTooSmall(),
		provisionWithoutTopology(),
		provisionAsksForNothing(),
		provisionEmptyTopology(),
		provisionNodeGone(),
		provisionNewZone(),
		provisionRepeated(),
		provisionPauses(),
		provisionLate(),
		provisionEvents(),
		provisionerWaitsForDriver(),
		provisionDifferentKeys(),
		provisionSelector(),
	}, provisionRegionAlone(), provisionOutsideAllowed(), classReachesCalls(), provisionPrefersNode(), provisionNode(), provisionElsewhere(), provisionExhausted(), provisionerKilled(), leaseOfProvisioner(), stuckTwoClaims())}
}
