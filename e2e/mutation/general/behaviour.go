// SPDX-License-Identifier: Apache-2.0

package general

import "github.com/csi-topo/csi-topo/e2e/mutation"

type right = mutation.Right

// wrong is a driver with a fault that the named cases see, and no others.
func wrong(fault mutation.Fault, cases ...mutation.Case) mutation.Expectation {
	return mutation.Expectation{Driver: mutation.Driver{Fault: fault}, Cases: cases}
}
