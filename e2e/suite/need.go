// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"slices"
)

// Need is one thing that a case requires of the driver, its profile or the environment. A case declares a list of them:
//
//	Needs: suite.Needs(harness.Segments(3), harness.Volumes(1)),
type Need[T any] struct {
	// Label names the need in lists and filters, such as needs:exhaustion. An empty label is not listed.
	Label string
	// By says whose decision it is if the need is missing. Missing capabilities are reported before limits of the profile,
	// and these before limits of the environment.
	By DecidedBy
	// Alone says that a case with this need must run alone.
	Alone bool
	// Takes is the amount that the case takes of a resource shared by concurrent cases, such as attachments to a node.
	Takes int64
	// Missing returns a sentence about the missing need, or an empty string if it is met. Nil means that it is always met.
	Missing func(ctx context.Context, t T) string
}

// Needs joins the results of the constructors of needs, each of which may imply others.
func Needs[T any](of ...[]Need[T]) []Need[T] {
	return slices.Concat(of...)
}

// Meet ends the case as skipped if one of its needs is missing.
func (c Case[T]) Meet(ctx context.Context, t T) {
	for _, by := range []DecidedBy{ByFilter, ByCapability, ByProfile, ByEnvironment} {
		for _, n := range c.Needs {
			if n.By != by || n.Missing == nil {
				continue
			}
			if missing := n.Missing(ctx, t); missing != "" {
				Skip(by, "%s", missing)
			}
		}
	}
}
