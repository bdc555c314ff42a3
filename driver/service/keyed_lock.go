// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"slices"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// keyedLock is one lock per key; it holds nothing for a key that is not locked.
type keyedLock struct {
	mu   sync.Mutex
	held map[string]*keyedHolder
}

// keyedHolder is the lock of one key: the caller that puts the token in holds it.
type keyedHolder struct {
	token chan struct{}
	users int
}

func newKeyedLock() *keyedLock {
	return &keyedLock{held: map[string]*keyedHolder{}}
}

// lock waits until the key is free. It returns ABORTED if ctx ends first, because another call for the same volume is
// pending (GEN-03).
func (l *keyedLock) lock(ctx context.Context, key string) (unlock func(), err error) {
	l.mu.Lock()
	holder, found := l.held[key]
	if !found {
		holder = &keyedHolder{token: make(chan struct{}, 1)}
		l.held[key] = holder
	}
	holder.users++
	l.mu.Unlock()

	unlock = func() {
		<-holder.token
		l.leave(key, holder)
	}
	select {
	case holder.token <- struct{}{}:
		// A cancelled call must not recreate something that was created and deleted meanwhile.
		if ctx.Err() == nil {
			return unlock, nil
		}
		unlock()
	case <-ctx.Done():
		l.leave(key, holder)
	}
	return nil, status.Errorf(codes.Aborted, "another call for %q is still pending: try again when it has ended", key)
}

// lockAll locks all keys, each once and in their order.
func (l *keyedLock) lockAll(ctx context.Context, keys []string) (unlock func(), err error) {
	var held []func()
	unlock = func() {
		for _, unlock := range held {
			unlock()
		}
	}
	for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		one, err := l.lock(ctx, key)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, one)
	}
	return unlock, nil
}

func (l *keyedLock) leave(key string, holder *keyedHolder) {
	l.mu.Lock()
	defer l.mu.Unlock()
	holder.users--
	if holder.users == 0 {
		delete(l.held, key)
	}
}
