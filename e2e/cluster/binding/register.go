// SPDX-License-Identifier: Apache-2.0

// Package binding has the cluster tier's cases about the time and the place of a claim's volume.
package binding

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "binding", Cases: append(wffcEachZone(), []harness.Case{
		wffcWaitsForConsumer(),
		wffcWaitsForScheduling(),
		ephemeralVolumeGoesWithPod(),
		wffcNodeName(),
		wffcAllowedTwoZones(),
		wffcAllowedExcludesPod(),
		wffcAllowedPatched(),
		immediateOneZone(),
		immediateTwoZones(),
		immediatePodElsewhere(),
		immediateUnbound(),
		immediateStatefulSetRoundRobin(),
		staticFirst(),
		reservedVolume(),
		retain(),
	}...)}
}
