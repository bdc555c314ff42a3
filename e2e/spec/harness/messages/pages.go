// SPDX-License-Identifier: Apache-2.0

package messages

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// Pages reads lists page by page, for all cases of a run.
type Pages struct {
	// Limit is how long one list may take; 0 is no limit.
	Limit time.Duration

	mu      sync.Mutex
	endless map[string]*Endless // by RPC
}

// Endless is the error of a list whose pages do not end, or had not ended when they were no longer read.
type Endless struct {
	why string
	// Proven says that they never end: a next_token is for more entries, and there are none.
	Proven bool
}

// Error says why.
func (e *Endless) Error() string { return e.why }

// IsEndless reports whether the error says that the pages of a list do not end.
func IsEndless(err error) bool {
	var endless *Endless
	return errors.As(err, &endless)
}

// mostPages is how many pages of a list are read: those of a million volumes, with a hundred on each.
const mostPages = 10_000

// Each reads page after page, until there is no next_token. Once the pages of a list did not end, it is not read again: the
// error is that of the first time.
func (p *Pages) Each(rpc string, read func(token string) (next string, err error)) error {
	if endless := p.Endless(rpc); endless != nil {
		return endless
	}
	begin, token, seen := time.Now(), "", map[string]bool{}
	for range mostPages {
		next, err := read(token)
		if err != nil {
			return fmt.Errorf("%s from token %q: %w", rpc, token, err)
		}
		if token = next; token == "" {
			return nil
		}
		if seen[token] {
			return p.NoteEndless(rpc, fmt.Sprintf("%s answered the next_token %q twice: its pages never end", rpc, token), true)
		}
		seen[token] = true
		if took := time.Since(begin); p.Limit > 0 && took > p.Limit {
			return p.NoteEndless(rpc, fmt.Sprintf("%s had not ended after %d pages and %s", rpc, len(seen), took.Round(time.Second)), false)
		}
	}
	return p.NoteEndless(rpc, fmt.Sprintf("%s had not ended after %d pages", rpc, mostPages), false)
}

// NoteEndless keeps that the pages of the list do not end, and why, and returns that.
func (p *Pages) NoteEndless(rpc, why string, proven bool) *Endless {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.endless == nil {
		p.endless = map[string]*Endless{}
	}
	if before := p.endless[rpc]; before == nil || !before.Proven {
		p.endless[rpc] = &Endless{why, proven}
	}
	return p.endless[rpc]
}

// Endless is the error of the list if its pages did not end in the run; otherwise it is nil.
func (p *Pages) Endless(rpc string) *Endless {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.endless[rpc]
}
