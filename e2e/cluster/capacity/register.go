// SPDX-License-Identifier: Apache-2.0

// Package capacity has the cluster tier's cases about CSIStorageCapacity and about zones without
// room.
package capacity

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// gi returns n gibibytes.
func gi(n int64) *resource.Quantity { return resource.NewQuantity(n<<30, resource.BinarySI) }

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "capacity", Cases: slices.Concat([]harness.Case{
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
		publishedZero(),
		publishedFewerKeys(),
		publishedAfterError(),
		publishedAtPoll(),
		publishedSegments(),
		publishedAfterRestart(),
		publishedRace(),
		publishedMetrics(),
		publishedOrphans(),
		publishedUnclaimed(),
		publishedSavesAttempts(),
	}, publishedAgain())}
}
