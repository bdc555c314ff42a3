// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"time"
)

// ErrSignal is the cause with which the context of OnSignals ends.
var ErrSignal = errors.New("interrupted by a signal")

type abortKey struct{}

// OnSignals returns a context that ends with the first of the signals: no new case begins, and running cases are cut and
// cleaned up. The second signal ends the clean-up as well. stop stops the handling of signals.
func OnSignals(parent context.Context, signals ...os.Signal) (ctx context.Context, stop func()) {
	aborted, abort := context.WithCancel(context.WithoutCancel(parent))
	ctx, cancel := context.WithCancelCause(WithAbort(parent, aborted))
	received := make(chan os.Signal, 2)
	signal.Notify(received, signals...)
	ended := make(chan struct{})
	go func() {
		for _, end := range []func(){func() { cancel(ErrSignal) }, abort} {
			select {
			case <-received:
				end()
			case <-ended:
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(received)
		close(ended)
		cancel(context.Canceled)
		abort()
	}
}

// WithAbort returns a context whose clean-ups end with aborted.
func WithAbort(ctx, aborted context.Context) context.Context {
	return context.WithValue(ctx, abortKey{}, aborted)
}

// aborted returns a channel that is closed once clean-ups must end as well; nil if nothing ends them.
func aborted(ctx context.Context) <-chan struct{} {
	if abort, ok := ctx.Value(abortKey{}).(context.Context); ok {
		return abort.Done()
	}
	return nil
}

// Aborted reports whether clean-ups must end as well.
func Aborted(ctx context.Context) bool {
	select {
	case <-aborted(ctx):
		return true
	default:
		return false
	}
}

// CleanUp returns a context for a clean-up. It outlives ctx, and ends with the limit, or when clean-ups must end as well.
func CleanUp(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	cleaning, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	abort, ok := ctx.Value(abortKey{}).(context.Context)
	if !ok {
		return cleaning, cancel
	}
	stop := context.AfterFunc(abort, cancel)
	return cleaning, func() { stop(); cancel() }
}
