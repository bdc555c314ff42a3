// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"errors"
	"slices"
)

// cleanUps undo and remove what the case made and changed when it ends.
type cleanUps struct {
	first, oncePodsAreGone, onceClaimsAreGone []func(context.Context) error
	done                                      bool
}

// backward calls the functions, the last first, and keeps the ones that fail.
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
