// Package provisioning has the cluster tier's cases on what the provisioner asks the driver, and on what it makes of the
// answers. They look at recorded calls, and have some answered in the driver's stead.
package provisioning

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area is the group of this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "provisioning", Cases: append(provisionCode(), []harness.Case{
		provisionAsksForZone(),
		provisionAsksForAll(),
		provisionAsksForGhost(),
		provisionAsksInVain(),
		provisionTooSmall(),
		provisionWithoutTopology(),
	}...)}
}
