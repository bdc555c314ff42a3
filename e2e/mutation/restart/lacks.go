// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"errors"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// lacking returns drivers for which the cases cannot find anything out.
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
			Target:     func(*harness.Target) {}, // no case waits for it long
			Restarting: func(_ context.Context, process *mutation.Restartable) error { return process.Stop() },
		}, mutation.Errs(some)),
	}
}
