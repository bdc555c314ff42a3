// SPDX-License-Identifier: Apache-2.0

// Package restart has drivers that forget, when they are killed and started again, some of what they have answered.
package restart

import (
	"maps"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers are the wrong ones.
func Drivers() map[string]mutation.Expectation {
	all := losingRecords()
	for _, of := range []func() map[string]mutation.Expectation{killedHalfWay, forgetting, reusingIDs} {
		maps.Copy(all, of())
	}
	return all
}

// wrong is the driver, of which the fault may show in other cases too.
func wrong(driver mutation.Driver, cases ...mutation.Case) mutation.Expectation {
	return mutation.Expectation{Driver: driver, Cases: cases, Wide: true}
}
