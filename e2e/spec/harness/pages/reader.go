// SPDX-License-Identifier: Apache-2.0

// Package pages reads lists page by page, and tracks which of them do not work.
package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
)

// Reader reads lists page by page, for all cases of a run that are not about the list. A list that does not work is not
// used from then on: these cases do without it, as if the driver did not claim it.
type Reader struct {
	// Limit is the time that one list may take; 0 is no limit.
	Limit time.Duration

	mu       sync.Mutex
	unusable map[string]*Unusable // by list
	refused  map[string]int       // by list, how many times in a row
}

// Unusable is the error of a list that must not be used.
type Unusable struct {
	// List is the RPC, followed by a space and the part of the list that is requested.
	List string
	// Endless reports that the pages never end: a next_token promises more entries, and there are none. Silent reports that
	// the driver died of a call, or never answered it. Refused is the last answer of a list that was refused again and
	// again. If none of these is set, the list had more pages than are read.
	Endless, Silent bool
	Refused         error

	why string
}

// Error explains why the list is unusable.
func (u *Unusable) Error() string { return u.why }

// IsUnusable reports whether the error means that a list is not to be used.
func IsUnusable(err error) bool {
	var unusable *Unusable
	return errors.As(err, &unusable)
}

const (
	// mostPages is the largest number of pages read of a list: enough for a million volumes, at a hundred per page.
	mostPages = 10_000
	// few is the number of consecutive refusals after which a list is unusable.
	few = 3
)

// Each reads page after page, until there is no next_token, with calls that fail no case. Once the list is unusable, it is
// not read again, and Each returns the first error.
func (r *Reader) Each(ctx context.Context, list string, read func(ctx context.Context, token string) (next string, err error)) error {
	if unusable := r.Unusable(list); unusable != nil {
		return unusable
	}
	ctx = attempt.Surveying(ctx)
	begin, token, seen := time.Now(), "", map[string]bool{}
	for range mostPages {
		next, err := read(ctx, token)
		if why, silent := attempt.WhyUnanswered(err); silent {
			return r.note(&Unusable{List: list, Silent: true, why: why})
		}
		if err != nil {
			return fmt.Errorf("%s from token %q: %w", list, token, err)
		}
		if token = next; token == "" {
			return nil
		}
		if seen[token] {
			return r.NoteEndless(list, fmt.Sprintf("%s answered the next_token %q twice: its pages never end", list, token), true)
		}
		seen[token] = true
		if took := time.Since(begin); r.Limit > 0 && took > r.Limit {
			return r.NoteEndless(list, fmt.Sprintf("%s had not ended after %d pages and %s", list, len(seen), took.Round(time.Second)), false)
		}
	}
	return r.NoteEndless(list, fmt.Sprintf("%s had not ended after %d pages", list, mostPages), false)
}

// Survey is like Each, for the suite, which reads the list around each case: a list that is refused each time is not to
// be used.
func (r *Reader) Survey(ctx context.Context, list string, read func(ctx context.Context, token string) (next string, err error)) error {
	var first error
	err := r.Each(ctx, list, func(ctx context.Context, token string) (string, error) {
		next, err := read(ctx, token)
		if token == "" {
			first = err
		}
		return next, err
	})
	switch {
	case IsUnusable(err) || !attempt.IsAnswer(first):
		return err
	case r.refuses(list, first):
		return r.note(&Unusable{List: list, Refused: first, why: fmt.Sprintf("%s was refused again and again, at last with %s", list, describe.Status(first))})
	default:
		return err
	}
}

// refuses counts how many times in a row the first page was refused, and reports whether that is enough.
func (r *Reader) refuses(list string, err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refused == nil {
		r.refused = map[string]int{}
	}
	r.refused[list]++
	if err == nil {
		r.refused[list] = 0
	}
	return r.refused[list] >= few || status.Code(err) == codes.Unimplemented
}

// NoteEndless records that the pages of the list do not end, and why, and returns the error.
func (r *Reader) NoteEndless(list, why string, proven bool) *Unusable {
	return r.note(&Unusable{List: list, Endless: proven, why: why})
}

// note records that the list is not to be used. The first reason stays, unless the pages turn out never to end.
func (r *Reader) note(u *Unusable) *Unusable {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unusable == nil {
		r.unusable = map[string]*Unusable{}
	}
	if r.unusable[u.List] == nil || u.Endless {
		r.unusable[u.List] = u
	}
	return r.unusable[u.List]
}

// Unusable returns the error of the list, or of the whole list if it is a part, if it is not to be used, and nil
// otherwise.
func (r *Reader) Unusable(list string) *Unusable {
	whole, _, _ := strings.Cut(list, " ")
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.unusable[whole], r.unusable[list])
}

// AllUnusable returns the lists that are not to be used, by name.
func (r *Reader) AllUnusable() []*Unusable {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []*Unusable
	for _, list := range slices.Sorted(maps.Keys(r.unusable)) {
		all = append(all, r.unusable[list])
	}
	return all
}
