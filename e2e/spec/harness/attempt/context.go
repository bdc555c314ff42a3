// SPDX-License-Identifier: Apache-2.0

// Package attempt describes how a call is made and repeated, and the error of a call that has no answer to judge.
package attempt

import (
	"context"
	"slices"

	"google.golang.org/grpc/codes"
)

type tolerance struct{}

// Tolerant returns a context whose calls return every error, including the errors of calls without an answer. The calls
// are repeated like others.
func Tolerant(ctx context.Context) context.Context {
	return context.WithValue(ctx, tolerance{}, true)
}

// IsTolerant reports whether the context is one of Tolerant.
func IsTolerant(ctx context.Context) bool {
	return ctx.Value(tolerance{}) != nil
}

type once struct{}

// Once returns a context whose calls are not repeated if the driver answers with one of the codes, for cases that judge
// these answers themselves. Without codes, calls are not repeated at all, not even if the connection breaks.
func Once(ctx context.Context, answers ...codes.Code) context.Context {
	return context.WithValue(ctx, once{}, answers)
}

// IsOnce reports whether a call is not to be repeated after the answer.
func IsOnce(ctx context.Context, answer codes.Code) bool {
	answers, found := ctx.Value(once{}).([]codes.Code)
	return found && (len(answers) == 0 || slices.Contains(answers, answer))
}

type unbroken struct{}

// Unbroken returns a context in which a connection that breaks during a call fails the case at once (GEN-08), for cases
// that send requests that are known to have crashed drivers. In other contexts a connection may break once.
func Unbroken(ctx context.Context) context.Context {
	return context.WithValue(ctx, unbroken{}, true)
}

// IsUnbroken reports whether the context is one of Unbroken.
func IsUnbroken(ctx context.Context) bool {
	return ctx.Value(unbroken{}) != nil
}

type silence struct{}

// Unrecorded returns a context whose calls are not recorded as evidence, for hundreds of attempts whose outcome the
// case summarizes.
func Unrecorded(ctx context.Context) context.Context {
	return context.WithValue(ctx, silence{}, true)
}

// IsUnrecorded reports whether the context is one of Unrecorded.
func IsUnrecorded(ctx context.Context) bool {
	return ctx.Value(silence{}) != nil
}

type cleaning struct{}

// CleaningUp returns a Tolerant context for calls that remove the objects of a case. A call that is never answered is
// reported once in the run.
func CleaningUp(ctx context.Context) context.Context {
	return context.WithValue(Tolerant(ctx), cleaning{}, true)
}

// IsCleaningUp reports whether the context is one of CleaningUp.
func IsCleaningUp(ctx context.Context) bool {
	return ctx.Value(cleaning{}) != nil
}

type surveying struct{}

// Surveying returns a Tolerant context for calls that read the state of the driver for the current case. If the driver
// crashes during such a call or never answers it, the run as a whole fails, and the case does not.
func Surveying(ctx context.Context) context.Context {
	return context.WithValue(Tolerant(ctx), surveying{}, true)
}

// IsSurveying reports whether the context is one of Surveying.
func IsSurveying(ctx context.Context) bool {
	return ctx.Value(surveying{}) != nil
}

type breakable struct{}

// Breaking returns a context whose calls are made once and return every error, for calls in flight while the case
// restarts the driver. A broken connection does not count against the driver.
func Breaking(ctx context.Context) context.Context {
	return context.WithValue(Tolerant(ctx), breakable{}, true)
}

// IsBreaking reports whether the context is one of Breaking.
func IsBreaking(ctx context.Context) bool {
	return ctx.Value(breakable{}) != nil
}
