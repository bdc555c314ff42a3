// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"strings"
	"testing"
)

// matrix decides which cases there are, and counts them.
type matrix struct {
	// whole is every fault at every event. Otherwise the process is killed before
	// every step, and after the last: a kill after any other step should leave
	// what one before the next does.
	whole bool
	count *tally
}

// test runs a case for every fault at every event, concurrently.
func (m *matrix) test(t *testing.T, rpc string, events []event, crash func(t *testing.T, f fault, restarts bool)) {
	t.Helper()
	t.Logf("the events are %q", events) // which is shown when a case fails
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

// restarts reports whether a process that survives its fault gives way to a next one.
// At each event it does after one kind of fault and goes on after another.
func restarts(k kind, n int) bool {
	odd := (n/2+n)%2 == 1
	return odd == (k == broken)
}
