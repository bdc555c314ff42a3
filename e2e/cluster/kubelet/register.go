// SPDX-License-Identifier: Apache-2.0

// Package kubelet has the cluster tier's cases about the calls that kubelets make to drivers, and about how
// kubelets learn about drivers.
package kubelet

import "github.com/csi-topo/csi-topo/e2e/cluster/harness"

// Area returns this package's cases.
func Area() harness.Area {
	return harness.Area{Name: "kubelet", Cases: []harness.Case{
		infoOfPod(),
		tokenOfPod(),
		republish(),
		fsGroup(),
		inlineVolume(),
		registrationRepeated(),
		pluginGoes(),
		driverUpdated(),
		kubeletRestarts(),
	}}
}
