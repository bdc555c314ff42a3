// SPDX-License-Identifier: Apache-2.0

package predicate

import "fmt"

// SameData requires a pod to read the data that was written to its volume.
func SameData(pod, found, written string) error {
	if found != written {
		return mismatch("data on the volume of pod "+pod, fmt.Sprintf("%q, written before", written), fmt.Sprintf("%q", found))
	}
	return nil
}
