// SPDX-License-Identifier: Apache-2.0

package general_test

import "github.com/csi-topo/csi-topo/e2e/internal/spectest"

type right = spectest.Right

// wrong is a driver with a fault that the named cases see, and no others.
func wrong(fault spectest.Fault, cases ...spectest.Case) spectest.Expectation {
	return spectest.Expectation{Driver: spectest.Driver{Fault: fault}, Cases: cases}
}
