// SPDX-License-Identifier: Apache-2.0

// Package own tracks which of a driver's volumes and snapshots belong to the run. The suite never deletes, changes or uses
// any others, whatever the driver answers: the answer to a request without a name may be a bucket that others share.
package own
