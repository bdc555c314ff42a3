// SPDX-License-Identifier: Apache-2.0

package right

import (
	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func sized() []Driver {
	const unit = 4 << 20
	return []Driver{{Name: "whole-units",
		Is: "makes volumes of several whole units, as clouds make them of GiB, and answers the actual size",
		Driver: mutation.Driver{Profile: exactDisks, Options: func(o *embedded.Options) {
			o.Sizes = service.Sizes{MinimumBytes: 4 * unit, MaximumBytes: mutation.LargestVolume, DefaultBytes: 8 * unit, UnitBytes: unit}
		}}}}
}

// inLargeUnits returns a driver whose unit is larger than the profile's volumes.
func inLargeUnits() []Driver {
	const unit = 32 << 20
	return []Driver{{
		Name: "large-units", Is: "makes volumes of whole units, which are larger than the size in the profile",
		Driver: mutation.Driver{Profile: exactDisks, Options: func(o *embedded.Options) {
			o.Sizes = service.Sizes{MinimumBytes: unit, MaximumBytes: mutation.LargestVolume, DefaultBytes: unit, UnitBytes: unit}
		}},
	}}
}
