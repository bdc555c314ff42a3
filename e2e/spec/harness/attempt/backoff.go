// SPDX-License-Identifier: Apache-2.0

package attempt

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Pause waits, and returns an error if the context ends first.
func Pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Backoff returns the pauses between repetitions within the limit.
func Backoff(limit time.Duration) wait.Backoff {
	const (
		first, longest         = 20 * time.Millisecond, 5 * time.Second
		firstPart, longestPart = 100, 10 // of a short limit
		factor, jitter, steps  = 1.6, 0.1, 100
	)
	return wait.Backoff{
		Duration: min(first, limit/firstPart),
		Factor:   factor,
		Jitter:   jitter,
		Steps:    steps,
		Cap:      min(longest, limit/longestPart),
	}
}
