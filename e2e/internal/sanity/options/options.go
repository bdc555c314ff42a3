// SPDX-License-Identifier: Apache-2.0

// Package options has csi-sanity's options for a driver, as a vendor sets them who knows the driver's profile.
package options

import (
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Of are the options for what a profile says of a driver; where the driver listens is not among them.
func Of(p profile.Profile) sanity.TestConfig {
	config := sanity.NewTestConfig()
	config.TestVolumeSize, config.TestVolumeExpandSize = p.VolumeBytes, p.Grown()
	if !p.HasMount() {
		config.TestVolumeAccessType = "block"
	}
	config.TestVolumeParameters = p.Plain().Parameters
	config.TestVolumeMutableParameters = p.MutableParameters
	config.TestSnapshotParameters = p.SnapshotParameters
	return config
}
