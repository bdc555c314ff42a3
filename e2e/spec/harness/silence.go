// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// runs is the case whose calls these are.
func runs(d *Driver) string {
	return cmp.Or(d.caseID, d.health.Running())
}

// noteSilence keeps the first error by which the driver fails the case, wherever it comes from.
func noteSilence(d *Driver, err error) {
	var none *attempt.NoAnswer
	if errors.As(err, &none) && none.Fails {
		d.silent.CompareAndSwap(nil, none)
	}
}

// mustNotBeSilent fails the case if the driver died of one of its calls, or never answered it, though the caller did not
// say so.
func mustNotBeSilent(d *Driver) {
	if none := d.silent.Load(); none != nil {
		none.End()
	}
}

// mustHaveAnswered fails the case like mustNotBeSilent, and warns of a connection that broke once.
func mustHaveAnswered(ctx context.Context, d *Driver) {
	mustNotBeSilent(d)
	if broken := d.broken.Load(); broken != nil {
		suite.Warn(ctx, "GEN-08", "%s\nIt answered when the call was repeated", broken)
	}
}

// noteBreakage adds to the end of a case that the connection broke once: a driver that was started again may have
// forgotten what the case did before.
func noteBreakage(d *Driver, end *suite.Mark) {
	if broken := d.broken.Load(); broken != nil {
		end.Message += fmt.Sprintf("\nBefore that, %s (GEN-08). A driver that was started again may answer otherwise", broken)
	}
}
