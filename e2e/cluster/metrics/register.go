// SPDX-License-Identifier: Apache-2.0

// Package metrics has the cluster tier's cases about the metrics of kubelets and sidecars on volumes and calls.
package metrics

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "metrics", Cases: []harness.Case{
		metricsOfVolume(),
		metricsOfBlockVolume(),
		metricsOfSidecars(),
		metricsOfProvisioner(),
	}}
}
