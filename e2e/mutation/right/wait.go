// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"time"

	"google.golang.org/grpc/status"
)

// wait waits, and then answers like a server whose caller does not wait.
func wait(ctx context.Context, takes time.Duration) error {
	timer := time.NewTimer(takes)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}
