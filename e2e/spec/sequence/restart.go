// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// restart ends the driver's processes and starts them again. That must not undo anything that was
// answered.
func (s *sequence) restart() call {
	return lookOf(func(ctx context.Context) (outcome, error) {
		harness.RestartDriver(ctx, s.driver)
		o := outcomeOf("the driver is restarted", nil)
		o.open()
		return o, nil
	})
}
