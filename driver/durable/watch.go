// SPDX-License-Identifier: Apache-2.0

// Package durable marks the steps with which the driver changes what outlives its
// process: a committed record, a file, a directory entry, a loop device, a mount.
// The driver may end or fail at each; tests make it do so.
package durable

import "fmt"

// Watch is told of every durable step, before it is taken and when it has been.
// An error is returned to whoever takes the step, which before the step prevents
// it, and after it makes a step that was taken look as if it had failed. The nil
// Watch, which is what the driver runs with, does nothing.
type Watch func(step string, taken bool) error

// Do takes a step under watch. A step that fails by itself is not said to be taken.
func (w Watch) Do(step string, take func() error) error {
	if w == nil {
		return take()
	}
	if err := w(step, false); err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	if err := take(); err != nil {
		return err
	}
	if err := w(step, true); err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	return nil
}
