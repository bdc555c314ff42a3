// SPDX-License-Identifier: Apache-2.0

// Package scheduling has the cluster tier's cases about the scheduler's use of CSIStorageCapacity. They use a stand-in for
// a driver, whose objects the case itself writes, so they grade only the platform.
package scheduling

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
)

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "scheduling", Cases: slices.Concat([]harness.Case{
		schedulerMaximumSize(),
		schedulerIncompleteObjects(),
		schedulerUntracked(),
		schedulerEphemeral(),
		schedulerBoundClaim(),
		schedulerRequeues(),
		schedulerRequeuesUntracked(),
		schedulerKeepsNode(),
		schedulerEachClaimAlone(),
		schedulerBindTimeout(),
		schedulerScoresMaximumSize(),
		schedulerScoresByDefault(),
		schedulerDriverMissing(),
	}, schedulerScoresCapacity())}
}

// gi returns n gibibytes.
func gi(n int64) *resource.Quantity { return ptr.To(*resource.NewQuantity(n<<30, resource.BinarySI)) }
