// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// ProvisioningCounted requires csi-provisioner's metrics of a class to count the calls that created and deleted its
// volumes. They count at least one success, and at most one for each call that was answered OK: the provisioner repeats a
// call if it has not yet seen its own update. They count at least one failure for each call that failed: an attempt can
// also fail without a call, if nothing is left to do.
func ProvisioningCounted(found Samples, class string, created, deleted []trace.Call) error {
	labels := map[string]string{"class": class}
	for _, counted := range []struct {
		name  string
		calls []trace.Call
	}{
		{"controller_persistentvolumeclaim_provision", created},
		{"controller_persistentvolume_delete", deleted},
	} {
		ok := 0
		for _, call := range counted.calls {
			if call.Code == codeOK {
				ok++
			}
		}
		if ok == 0 {
			return fmt.Errorf("%s: none of %d calls was answered OK, so there is nothing to count", counted.name, len(counted.calls))
		}
		name := counted.name + "_total"
		total := found.Counter(name, labels)
		if total < 1 || total > float64(ok) {
			return mismatch(name+" of class "+class, fmt.Sprintf("1 to %d, as many calls were answered OK", ok), fmt.Sprint(total))
		}
		name = counted.name + "_duration_seconds"
		if got := float64(found.Observations(name, labels)); got != total {
			return mismatch(name+" of class "+class, fmt.Sprintf("%g observations, as many as there are in total", total), fmt.Sprint(got))
		}
		name = counted.name + "_failed_total"
		if got, least := found.Counter(name, labels), len(counted.calls)-ok; got < float64(least) {
			return mismatch(name+" of class "+class, fmt.Sprintf("%d or more, as many calls failed", least), fmt.Sprint(got))
		}
	}
	return nil
}
