// SPDX-License-Identifier: Apache-2.0

// Package life has the cluster tier's cases about the life cycle of a volume in Kubernetes, and its end.
package life

import (
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "life", Cases: slices.Concat(
		[]harness.Case{
			lifeOfAVolume(),
			deleteRefused(),
			deleteWaitsForDetach(),
			deleteVolumeBeforeClaim(),
			claimInUseStays(),
			volumeNotSavedForAWhile(),
			othersClaimsUntouched(),
			retainedAgain(),
		},
		claimDeletedWhileCreated(),
		snapshotDeletedWhileCreated(),
		scaleDownAndUp(),
		sidecarDeposed(),
	)}
}
