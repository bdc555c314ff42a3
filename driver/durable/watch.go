// SPDX-License-Identifier: Apache-2.0

// Package durable marks the steps whose effects outlive the driver's process: a committed record, a file, a directory
// entry, a loop device, a mount. The driver may end or fail at each of them; tests make it do so.
package durable

import "fmt"

// Watch is notified of every durable step, before and after it is taken. An error is returned to the code that takes the
// step: before the step, it prevents it; after the step, it makes it look as if it had failed. The nil Watch, which the
// driver runs with, does nothing.
type Watch func(step string, taken bool) error

// Do takes a step under watch. A step that fails by itself is not reported as taken.
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
