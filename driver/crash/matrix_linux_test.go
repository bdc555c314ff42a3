// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"strings"
	"testing"
)

// matrix decides which cases run, and counts them.
type matrix struct {
	// whole selects every fault at every event. Otherwise the process is only killed before every step, and after the last:
	// a kill after any other step should have the effect of a kill before the next one.
	whole bool
	count *tally
}

// test runs a case for every fault at every event, concurrently.
func (m *matrix) test(t *testing.T, rpc string, events []event, crash func(t *testing.T, f fault, restarts bool)) {
	t.Helper()
	t.Logf("the events are %q", events) // shown when a case fails
	for n, at := range events {
		for _, k := range m.faultsAt(events, n) {
			t.Run(fmt.Sprintf("%02d %s/%s", n, at, k), func(t *testing.T) {
				t.Parallel()
				m.count.add(rpc, k)
				crash(t, fault{Kind: k, At: n, Event: at}, restarts(k, n))
			})
		}
	}
}

func (m *matrix) faultsAt(events []event, n int) []kind {
	switch {
	case events[n] == noEvent:
		return nil
	case events[n] == answered:
		return []kind{kill}
	case m.whole:
		return kinds()
	case strings.HasPrefix(string(events[n]), "before ") || n == len(events)-1:
		return []kind{kill}
	default:
		return nil
	}
}

// restarts reports whether a process that survives its fault is replaced by another one. At each event, it is replaced
// after one kind of fault and goes on after another.
func restarts(k kind, n int) bool {
	odd := (n/2+n)%2 == 1
	return odd == (k == broken)
}
