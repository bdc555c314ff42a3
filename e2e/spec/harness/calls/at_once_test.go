// SPDX-License-Identifier: Apache-2.0

package calls

import (
	"context"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// TestAtOnceHasAllCallsInFlightTogether checks that all calls begin before one ends: sequential calls would never end.
func TestAtOnceHasAllCallsInFlightTogether(t *testing.T) {
	const calls = 4
	var mu sync.Mutex
	begun, all := 0, make(chan struct{})
	outcomes := AtOnce(t.Context(), calls, func(ctx context.Context) (int, error) {
		mu.Lock()
		begun++
		mine := begun
		if begun == calls {
			close(all)
		}
		mu.Unlock()
		if !attempt.IsTolerant(ctx) {
			t.Error("a call may end the case from a goroutine that is not the case's")
		}
		select {
		case <-all:
		case <-ctx.Done():
		}
		if mine == 1 {
			return 0, status.Error(codes.Aborted, "another call is pending")
		}
		return mine, nil
	})

	var sum, aborted int
	for _, outcome := range outcomes {
		sum += outcome.Response
		if status.Code(outcome.Err) == codes.Aborted {
			aborted++
		}
	}
	if len(outcomes) != calls || sum != 2+3+4 || aborted != 1 {
		t.Errorf("outcomes are %v, want one of each call", outcomes)
	}
}
