// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package kind

import "context"

// detachLoops does nothing if nodes run in a virtual machine of the container engine:
// the loop devices belong to that machine.
func detachLoops(context.Context, string) error { return nil }
