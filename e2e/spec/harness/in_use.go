// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// lingers reports whether to repeat a deletion that was refused because something is in use, though the case has ended every
// use of it. The caller retries with exponential back off then (DV-05, DS-06), because a back end may take seconds to
// release a volume. Once that did not help, such calls are not repeated any more.
func lingers(d *Driver, request any, err error, since time.Time) bool {
	if status.Code(err) != codes.FailedPrecondition {
		return false
	}
	var of string
	switch r := request.(type) {
	case *csi.DeleteVolumeRequest:
		of = "volume " + r.GetVolumeId()
	case *csi.DeleteSnapshotRequest:
		of = "snapshot " + r.GetSnapshotId()
	}
	if of == "" || !d.ledger.Has(of) || d.ledger.Uses(of) || d.health.Held.Load() {
		return false
	}
	if time.Since(since) < d.Target.Timeouts.Settle {
		return true
	}
	d.health.Held.Store(true)
	return false
}
