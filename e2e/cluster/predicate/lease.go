// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
)

// LeaseIn requires a leader to hold exactly one Lease, in the namespace.
func LeaseIn(held []coordinationv1.Lease, namespace string) error {
	if len(held) == 1 && held[0].Namespace == namespace {
		return nil
	}
	found := make([]string, 0, len(held))
	for _, lease := range held {
		found = append(found, lease.Namespace+"/"+lease.Name)
	}
	return finalMismatch("Leases of a sidecar that leads", "one in namespace "+namespace, fmt.Sprintf("%d: %s", len(held), strings.Join(found, ", ")))
}

// LeaseLasts requires the Lease to expire this duration after it was renewed.
func LeaseLasts(lease *coordinationv1.Lease, duration time.Duration) error {
	seconds := lease.Spec.LeaseDurationSeconds
	if seconds == nil {
		return finalMismatch("leaseDurationSeconds of Lease "+lease.Name, duration.String(), "none")
	}
	if got := time.Duration(*seconds) * time.Second; got != duration {
		return finalMismatch("leaseDurationSeconds of Lease "+lease.Name, duration.String(), got.String())
	}
	return nil
}

// RenewedInTime requires a Lease to have been renewed the given number of times in a row, each time before it expired.
// After a Lease has expired, as on a busy machine, the count starts again.
func RenewedInTime(renewed []time.Time, times int, duration time.Duration) error {
	inTime := 0
	for i := range renewed {
		if i > 0 && renewed[i].Sub(renewed[i-1]) > duration {
			inTime = 0
		}
		inTime++
	}
	if inTime < times {
		return mismatch("Lease of a sidecar that leads", fmt.Sprintf("renewed %d times in a row, each within %s", times, duration), fmt.Sprintf("%d times", inTime))
	}
	return nil
}
