// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"math"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Gate lets any number of calls in at once, or excludes them. Its zero value lets calls in.
type Gate struct {
	once sync.Once
	free *semaphore.Weighted
}

// Enter waits until the call may be made, or ctx ends. leave must be called when the call has ended.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) { return g.acquire(ctx, 1) }

// Exclude waits until no call is in flight, or ctx ends, and keeps further calls waiting until release is called.
func (g *Gate) Exclude(ctx context.Context) (release func(), err error) {
	return g.acquire(ctx, math.MaxInt64)
}

func (g *Gate) acquire(ctx context.Context, share int64) (release func(), err error) {
	g.once.Do(func() { g.free = semaphore.NewWeighted(math.MaxInt64) })
	if err := g.free.Acquire(ctx, share); err != nil {
		return nil, err
	}
	return func() { g.free.Release(share) }, nil
}
