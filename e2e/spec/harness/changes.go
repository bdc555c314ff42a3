// SPDX-License-Identifier: Apache-2.0

package harness

import "context"

// Changes says in sentences what differs in the driver's volumes, snapshots and capacity since before do. It waits for
// nothing to differ, as long as capacity may take to settle: it shows that do changes nothing.
func (d *Driver) Changes(ctx context.Context, do func()) []string {
	before := d.currentState(ctx)
	do()
	return d.changedSince(ctx, before)
}
