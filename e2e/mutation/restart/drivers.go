// SPDX-License-Identifier: Apache-2.0

// Package restart has drivers that forget, when they are killed and started again, some of what they have answered.
package restart

import (
	"maps"
	"time"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// Drivers returns the wrong drivers, and drivers for which the cases cannot find that out.
func Drivers() map[string]mutation.Expectation {
	all := lacking()
	for _, of := range []func() map[string]mutation.Expectation{losingRecords, killedHalfWay, forgetting, reusingIDs, starting, losingMounts} {
		maps.Copy(all, of())
	}
	return all
}

// restart is how long it may take to start the driver, on a busy machine too.
const restart = 30 * time.Second

// wrong returns the driver. Its fault may show in other cases too.
func wrong(driver mutation.Driver, cases ...mutation.Case) mutation.Expectation {
	if driver.Target == nil {
		driver.Target = func(t *harness.Target) { t.Timeouts.Restart = restart }
	}
	return mutation.ExpectWide(driver, cases...)
}
