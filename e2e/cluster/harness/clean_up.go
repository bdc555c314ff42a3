// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"slices"
)

// cleanUps are functions that undo everything that the case created and changed, when it ends.
type cleanUps struct {
	first, oncePodsAreGone, onceClaimsAreGone []func(context.Context) error
	done                                      bool
}

// backward calls the functions in reverse order, and keeps those that fail.
func backward(ctx context.Context, calls *[]func(context.Context) error) error {
	var problems []error
	var left []func(context.Context) error
	for _, call := range slices.Backward(*calls) {
		if err := call(ctx); err != nil {
			problems, left = append(problems, err), append(left, call)
		}
	}
	slices.Reverse(left)
	*calls = left
	return errors.Join(problems...)
}
