// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptWhenDone interrupts Ginkgo when ctx is done. Only a signal interrupts Ginkgo, so this process sends itself
// one; but not if a signal is why ctx is done, for Ginkgo had that one too and takes a second as "skip the clean-up".
func interruptWhenDone(ctx context.Context) (stop func()) {
	seen := make(chan os.Signal, 1)
	signal.Notify(seen, os.Interrupt, syscall.SIGTERM)
	unwatch := context.AfterFunc(ctx, func() {
		signal.Stop(seen) // returns after a signal that ended ctx has reached every channel, seen among them
		select {
		case <-seen:
		default:
			_ = syscall.Kill(os.Getpid(), syscall.SIGINT) // a process may signal itself
		}
	})
	return func() {
		unwatch()
		signal.Stop(seen)
	}
}
