// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package kind

import "context"

// detachLoops does nothing: nodes run in a virtual machine of the container engine, which has the loop devices.
func detachLoops(context.Context, string) error { return nil }
