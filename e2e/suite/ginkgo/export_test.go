// SPDX-License-Identifier: Apache-2.0

package ginkgo

import "github.com/onsi/ginkgo/v2/extensions/globals"

// Forget makes the process forget its own Ginkgo suite.
func Forget() {
	globals.Reset()
	own.Store(false)
}
