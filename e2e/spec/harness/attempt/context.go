// SPDX-License-Identifier: Apache-2.0

// Package attempt says how a call is to be made and repeated, and what it is if it has no answer to judge.
package attempt

import (
	"context"
	"slices"

	"google.golang.org/grpc/codes"
)

type tolerance struct{}

// Tolerant returns a context whose calls return every error, those of calls without an answer too. They are repeated like
// others.
func Tolerant(ctx context.Context) context.Context {
	return context.WithValue(ctx, tolerance{}, true)
}

// IsTolerant reports whether the context is one of Tolerant.
func IsTolerant(ctx context.Context) bool {
	return ctx.Value(tolerance{}) != nil
}

type once struct{}

// Once returns a context whose calls are not repeated when the driver answers one of the codes: for cases that judge that
// themselves. Without codes they are not repeated at all, not even when the connection breaks.
func Once(ctx context.Context, answers ...codes.Code) context.Context {
	return context.WithValue(ctx, once{}, answers)
}

// IsOnce reports whether a call is not to be repeated after the answer.
func IsOnce(ctx context.Context, answer codes.Code) bool {
	answers, found := ctx.Value(once{}).([]codes.Code)
	return found && (len(answers) == 0 || slices.Contains(answers, answer))
}

type unbroken struct{}

// Unbroken returns a context in which a connection that breaks during a call fails the case at once (GEN-08): for cases
// that send what is known to have ended the process of a driver. Elsewhere a connection may break once.
func Unbroken(ctx context.Context) context.Context {
	return context.WithValue(ctx, unbroken{}, true)
}

// IsUnbroken reports whether the context is one of Unbroken.
func IsUnbroken(ctx context.Context) bool {
	return ctx.Value(unbroken{}) != nil
}

type silence struct{}

// Unrecorded returns a context whose calls are no evidence: attempts by the hundred, of which a case tells the outcome.
func Unrecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, silence{}, true)
}

// IsUnrecorded reports whether the context is one of Unrecorded.
func IsUnrecorded(ctx context.Context) bool {
	return ctx.Value(silence{}) != nil
}

type cleaning struct{}

// CleaningUp returns a Tolerant context whose calls remove what was made. A call that is never answered then says so once in
// the run.
func CleaningUp(ctx context.Context) context.Context {
	return context.WithValue(Tolerant(ctx), cleaning{}, true)
}

// IsCleaningUp reports whether the context is one of CleaningUp.
func IsCleaningUp(ctx context.Context) bool {
	return ctx.Value(cleaning{}) != nil
}

type surveying struct{}

// Surveying returns a Tolerant context whose calls look at what the driver holds, for whichever case runs: the case does not fail
// where the driver dies of one or never answers it. The run as a whole does.
func Surveying(ctx context.Context) context.Context {
	return context.WithValue(Tolerant(ctx), surveying{}, true)
}

// IsSurveying reports whether the context is one of Surveying.
func IsSurveying(ctx context.Context) bool {
	return ctx.Value(surveying{}) != nil
}

type breakable struct{}

// Breaking returns a context whose calls are made once, and return every error: for calls that are under way while the case
// restarts the driver, so that they say nothing of it.
func Breaking(ctx context.Context) context.Context {
	return context.WithValue(Tolerant(ctx), breakable{}, true)
}

// IsBreaking reports whether the context is one of Breaking.
func IsBreaking(ctx context.Context) bool {
	return ctx.Value(breakable{}) != nil
}
