// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"
)

func leaseIn(namespace string) coordinationv1.Lease {
	lease := coordinationv1.Lease{}
	lease.Namespace, lease.Name = namespace, "driver"
	return lease
}

func TestLeaseIn(t *testing.T) {
	for _, test := range []struct {
		name string
		held []coordinationv1.Lease
		want string
	}{
		{"there", []coordinationv1.Lease{leaseIn("own")}, satisfied},
		{"elsewhere", []coordinationv1.Lease{leaseIn("default")}, forGood},
		{"there and elsewhere", []coordinationv1.Lease{leaseIn("own"), leaseIn("default")}, forGood},
		{"none", nil, forGood},
	} {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, LeaseIn(test.held, "own"), test.want) })
	}
	wantVerdict(t, LeaseIn([]coordinationv1.Lease{leaseIn("default")}, "own"), forGood, "namespace own", "default/driver")
}

func TestLeaseLasts(t *testing.T) {
	lease := leaseIn("own")
	wantVerdict(t, LeaseLasts(&lease, 10*time.Second), forGood, "none")
	lease.Spec.LeaseDurationSeconds = ptr.To[int32](10)
	wantVerdict(t, LeaseLasts(&lease, 10*time.Second), satisfied)
	wantVerdict(t, LeaseLasts(&lease, 15*time.Second), forGood, "15s", "10s")
}

func TestRenewedInTime(t *testing.T) {
	at := func(seconds ...int64) []time.Time {
		var times []time.Time
		for _, second := range seconds {
			times = append(times, time.Unix(second, 0))
		}
		return times
	}
	wantVerdict(t, RenewedInTime(at(0, 1, 3), 3, 10*time.Second), satisfied)
	wantVerdict(t, RenewedInTime(at(0, 1), 3, 10*time.Second), differs, "2 times")
	wantVerdict(t, RenewedInTime(nil, 3, 10*time.Second), differs, "0 times")
	wantVerdict(t, RenewedInTime(at(0, 1, 12), 3, 10*time.Second), differs, "1 times")
	wantVerdict(t, RenewedInTime(at(0, 12, 13, 14), 3, 10*time.Second), satisfied)
}
