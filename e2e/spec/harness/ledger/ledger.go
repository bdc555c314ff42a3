// SPDX-License-Identifier: Apache-2.0

// Package ledger records the objects that a case has made, and how to remove them.
package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
)

// Ledger holds the objects that the case has made and not removed, oldest first. The connection maintains it: it contains
// everything that a case creates, publishes or stages, and nothing else is ever removed.
type Ledger struct {
	mu          sync.Mutex
	entries     []Entry
	late        []Entry  // publications that may take effect after they were ended
	unpublished []string // the target paths that the driver has unpublished, according to its answers
}

// Named is between the kind of an object and its name, in an entry for a creation whose answer is not known yet.
const Named = " named "

// Entry is one thing to remove.
type Entry struct {
	What string
	Undo func(ctx context.Context) error
	// Kind is set if the entry can be removed at the same time as neighbours of the same kind.
	Kind string
	// By is the RPC that removes it, such as DeleteVolume. It is empty if no call does.
	By string
	// Of names the entry that it uses: a volume for a publication, and a source for a copy. It is empty if it uses
	// nothing.
	Of string
	// With holds the ids of the objects that are removed with it: the snapshots of a group.
	With []string
}

// String names the entry, and the objects that are removed with it.
func (e Entry) String() string {
	if len(e.With) == 0 {
		return e.What
	}
	return e.What + " with " + strings.Join(e.With, ", ")
}

// Enter enters an object that uses no other.
func (l *Ledger) Enter(what string, undo func(context.Context) error) {
	l.Add(Entry{What: what, Undo: undo})
}

// Uses reports whether something in the ledger uses the entry with the name.
func (l *Ledger) Uses(what string) bool {
	return slices.ContainsFunc(l.All(), func(e Entry) bool { return e.Of == what })
}

// Add enters something that is not in the ledger.
func (l *Ledger) Add(one Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.ContainsFunc(l.entries, func(e Entry) bool { return e.What == one.What }) {
		l.entries = append(l.entries, one)
	}
}

// MayComeLate records a publication whose call had no clear answer: it may take effect after it was ended.
func (l *Ledger) MayComeLate(publication Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.late = append(l.late, publication)
}

// Late returns the publications of the named volume that may have taken effect after they were ended.
func (l *Ledger) Late(of string) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.late), func(e Entry) bool { return e.Of != of })
}

// Strike removes an entry from the ledger.
func (l *Ledger) Strike(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = slices.DeleteFunc(l.entries, func(e Entry) bool { return e.What == what })
}

// All returns the entries of the ledger.
func (l *Ledger) All() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries)
}

// Unpublish records that the driver has unpublished the target path, according to its answer.
func (l *Ledger) Unpublish(target string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unpublished = append(l.unpublished, target)
}

// IsUnpublished reports whether Unpublish recorded that.
func (l *Ledger) IsUnpublished(target string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.unpublished, target)
}

// Stuck explains why the entry could not be removed: for a call by its status.
func Stuck(e Entry, err error) error {
	if _, isStatus := status.FromError(err); isStatus {
		return &stuck{e.String() + ": " + describe.Status(err), err}
	}
	return fmt.Errorf("%s: %w", e, err)
}

// stuck is an error with another text.
type stuck struct {
	text string
	err  error
}

func (s *stuck) Error() string { return s.text }

func (s *stuck) Unwrap() error { return s.err }

// Clear empties the ledger and returns its entries.
func (l *Ledger) Clear() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := l.entries
	l.entries = nil
	return entries
}

// Has reports whether the ledger has an entry with the name.
func (l *Ledger) Has(what string) bool {
	return slices.ContainsFunc(l.All(), func(e Entry) bool { return e.What == what })
}
