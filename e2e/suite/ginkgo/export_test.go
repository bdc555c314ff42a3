// SPDX-License-Identifier: Apache-2.0

package ginkgo

import "github.com/onsi/ginkgo/v2/extensions/globals"

// Forget leaves the process without a Ginkgo suite of its own.
func Forget() {
	globals.Reset()
	own.Store(false)
}
