// SPDX-License-Identifier: Apache-2.0

// Package own knows which of a driver's volumes and snapshots are the run's own. Nothing else is deleted, changed or used by
// the suite, whatever the driver answers: a bucket that others share may be the answer to a request without a name.
package own
