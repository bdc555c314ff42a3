// SPDX-License-Identifier: Apache-2.0

// Package options returns csi-sanity's options for a driver, as a vendor who knows the driver's profile sets
// them.
package options

import (
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Of returns the options for what a profile says of a driver, without its addresses.
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
