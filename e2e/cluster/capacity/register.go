// Package capacity has the cluster tier's cases on CSIStorageCapacity and on zones without room.
package capacity

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area is the group of this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "capacity", Cases: []harness.Case{
		capacityPerZone(),
		capacityEqualsDriver(),
		capacityOnlyWaiting(),
		capacityFollowsVolume(),
		fullZoneAvoided(),
		fullEverywhere(),
		staleReschedules(),
		immediateFullZoneRetries(),
		immediateTakesFreeZone(),
		freedRoomSchedules(),
	}}
}
