// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package kind

import "context"

// detachLoops does nothing where nodes run in a virtual machine of the container
// engine: their loop devices are that machine's.
func detachLoops(context.Context, string) error { return nil }
