// SPDX-License-Identifier: Apache-2.0

package right

import (
	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// inLargeUnits returns a driver whose unit is larger than the volumes that the profile asks for.
func inLargeUnits() []Driver {
	const unit = 32 << 20
	return []Driver{{
		Name: "large-units", Is: "makes volumes of whole units, which are larger than the size in the profile",
		Driver: mutation.Driver{Profile: exactDisks, Options: func(o *embedded.Options) {
			o.Sizes = service.Sizes{MinimumBytes: unit, MaximumBytes: mutation.LargestVolume, DefaultBytes: unit, UnitBytes: unit}
		}},
	}}
}
