// SPDX-License-Identifier: Apache-2.0

// Package options returns csi-sanity's options for a driver, as its vendor would set them.
package options

import (
	"github.com/kubernetes-csi/csi-test/v5/pkg/sanity"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// Of returns the options for a driver's profile, without its addresses.
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
