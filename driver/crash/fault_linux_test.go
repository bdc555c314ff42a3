// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// event is one call of the watch: before a step, or when it has been taken.
type event string

func eventOf(step string, taken bool) event {
	if taken {
		return event("after " + step)
	}
	return event("before " + step)
}

// answered is the event that the caller has the response. The watch does not report it: the process is killed from
// outside.
const answered event = "after the answer"

// noEvent replaces an event at which no fault is tried.
const noEvent event = ""

// kind is the kind of fault at an event.
type kind string

const (
	// kill ends the process at once, as the kernel or a power cut would.
	kill kind = "SIGKILL"
	// killLast also kills, but the caller gives up then: it deletes everything, and
	// does not repeat the call.
	killLast kind = "SIGKILL, given up"
	// full is a full disk.
	full kind = "ENOSPC"
	// broken is a disk that cannot be read or written.
	broken kind = "EIO"
	// staysBroken is a disk that cannot be read or written from then on: undoing the changes fails as well.
	staysBroken kind = "EIO from then on"
)

func kinds() []kind { return []kind{kill, killLast, full, broken, staysBroken} }

// fault describes what happens to a driver process, and when. The zero fault never
// happens.
type fault struct {
	Kind kind
	// At is the number of the event in the call or start in which the fault happens.
	At int
	// Event is the event expected there: another one means that the call does not take the same steps every time, and that
	// the case is inconclusive.
	Event event
}

func (f fault) kills() bool { return f.Kind == kill || f.Kind == killLast }

func (f fault) encode() string {
	text, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func decodeFault(text string) (fault, error) {
	var f fault
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return f, fmt.Errorf("reading the fault %q: %w", text, err)
	}
	return f, nil
}

// saboteur is the watch of a driver process: it records every event, and causes the given fault.
type saboteur struct {
	mu     sync.Mutex
	fault  fault
	events []event
}

// begin forgets the earlier events, and waits for the event of the fault.
func (s *saboteur) begin(f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.events = f, nil
}

// end returns the events since begin; no fault happens after it.
func (s *saboteur) end() []event {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault{}
	return slices.Clone(s.events)
}

// watch implements durable.Watch. It records the event, and causes the fault at its event.
func (s *saboteur) watch(step string, taken bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	happened, at := eventOf(step, taken), len(s.events)
	s.events = append(s.events, happened)
	if s.fault.Kind == "" || at < s.fault.At {
		return nil
	}
	if at == s.fault.At && happened != s.fault.Event {
		// Not a panic, which the server would turn into a response.
		fmt.Fprintf(os.Stderr, "event %d is %q and should be %q: the call does not take the same steps every time\n", at, happened, s.fault.Event)
		os.Exit(1)
	}
	switch {
	case s.fault.kills():
		if err := unix.Kill(unix.Getpid(), unix.SIGKILL); err != nil {
			panic(err)
		}
		select {} // until the signal has arrived
	case s.fault.Kind == staysBroken, s.fault.Kind == broken && at == s.fault.At:
		return syscall.EIO
	case s.fault.Kind == full && at == s.fault.At:
		return syscall.ENOSPC
	}
	return nil
}
