// SPDX-License-Identifier: Apache-2.0

// Package together has drivers that are wrong when calls are concurrent: they mix up the calls, or lose the effect of one
// of them. With one call at a time, they are correct.
package together

import (
	"slices"
	"sync"
	"time"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// Drivers returns the faulty drivers.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(mixingUp(), racing(), losing())
}

// little is the time that a call waits for another one, as if for a slow back end.
const little = 300 * time.Millisecond

// meeting makes two concurrent calls meet.
type meeting[T any] struct {
	mu      sync.Mutex
	waiting map[string][]*guest[T]
}

type guest[T any] struct {
	has    T
	theirs chan T
}

// role says whether a call has met another one, and which came first.
type role int

const (
	alone role = iota
	first
	second
)

// meet waits a little for another call of the key, and exchanges their values.
func (m *meeting[T]) meet(key string, has T) (theirs T, came role) {
	return m.meetIf(key, has, func(T) bool { return true })
}

// meetIf is like meet, with a call whose value matches.
func (m *meeting[T]) meetIf(key string, has T, matches func(theirs T) bool) (theirs T, came role) {
	m.mu.Lock()
	if i := slices.IndexFunc(m.waiting[key], func(g *guest[T]) bool { return matches(g.has) }); i >= 0 {
		other := m.waiting[key][i]
		m.waiting[key] = slices.Delete(m.waiting[key], i, i+1)
		m.mu.Unlock()
		other.theirs <- has
		return other.has, second
	}
	if m.waiting == nil {
		m.waiting = map[string][]*guest[T]{}
	}
	own := &guest[T]{has, make(chan T, 1)}
	m.waiting[key] = append(m.waiting[key], own)
	m.mu.Unlock()
	select {
	case theirs = <-own.theirs:
		return theirs, first
	case <-time.After(little):
	}
	m.mu.Lock()
	i := slices.Index(m.waiting[key], own)
	if i >= 0 {
		m.waiting[key] = slices.Delete(m.waiting[key], i, i+1)
	}
	m.mu.Unlock()
	if i >= 0 {
		return theirs, alone
	}
	return <-own.theirs, first
}
