// SPDX-License-Identifier: Apache-2.0

// Package restart has drivers that forget some of their answers when they are killed and restarted.
package restart

import (
	"context"
	"errors"
	"time"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and drivers for which the cases are inconclusive.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(lacking(), losingRecords(), killedHalfWay(), forgetting(), reusingIDs(), starting(), losingMounts())
}

// restart is the time limit for starting the driver, even on a busy machine.
const restart = 30 * time.Second

// wrong returns the driver. Its fault may show in other cases too.
func wrong(driver mutation.Driver, cases ...mutation.Case) mutation.Expectation {
	if driver.Target == nil {
		driver.Target = func(t *harness.Target) { t.Timeouts.Restart = restart }
	}
	return mutation.ExpectWide(driver, cases...)
}

// lacking returns drivers for which the cases are inconclusive.
func lacking() map[string]mutation.Expectation {
	const some = "restart_volume restart_creating restart_node_info"
	return map[string]mutation.Expectation{
		"nobody says how it is restarted": wrong(mutation.Driver{Target: func(t *harness.Target) { t.Restart = nil }},
			mutation.Skips(some, suite.ByProfile)),
		"it cannot be restarted": wrong(mutation.Driver{Restarting: func(context.Context, *mutation.Restartable) error { return errors.New("no such pod") }},
			mutation.Errs(some)),
		"the restart does nothing": wrong(mutation.Driver{Restarting: func(context.Context, *mutation.Restartable) error { return nil }},
			mutation.Errs(some)),
		"it is not started again": wrong(mutation.Driver{
			Target:     func(*harness.Target) {}, // no case waits long for it
			Restarting: func(_ context.Context, process *mutation.Restartable) error { return process.Stop() },
		}, mutation.Errs(some)),
	}
}
