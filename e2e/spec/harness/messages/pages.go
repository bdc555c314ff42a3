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
	endless map[string]error // by RPC
}

// Endless is the error of a list whose pages do not end.
type Endless struct{ why string }

// Error says why.
func (e *Endless) Error() string { return e.why }

// IsEndless reports whether the error says that the pages of a list do not end.
func IsEndless(err error) bool {
	var endless *Endless
	return errors.As(err, &endless)
}

// MostPages is how many pages a list may have: those of a million volumes, with a hundred on each.
const MostPages = 10_000

// Each reads page after page, until there is no next_token. Once the pages of a list did not end, it is not read again: the
// error is that of the first time.
func (p *Pages) Each(rpc string, read func(token string) (next string, err error)) error {
	if err := p.Endless(rpc); err != nil {
		return err
	}
	begin, token, seen := time.Now(), "", map[string]bool{}
	for range MostPages {
		next, err := read(token)
		if err != nil {
			return fmt.Errorf("%s from token %q: %w", rpc, token, err)
		}
		if token = next; token == "" {
			return nil
		}
		if seen[token] {
			return p.NoteEndless(rpc, fmt.Sprintf("%s answered the next_token %q twice: its pages never end", rpc, token))
		}
		seen[token] = true
		if took := time.Since(begin); p.Limit > 0 && took > p.Limit {
			return p.NoteEndless(rpc, fmt.Sprintf("%s had not ended after %d pages and %s", rpc, len(seen), took.Round(time.Second)))
		}
	}
	return p.NoteEndless(rpc, fmt.Sprintf("%s had not ended after %d pages", rpc, MostPages))
}

// NoteEndless keeps that the pages of the list do not end, and why, and returns that as an error.
func (p *Pages) NoteEndless(rpc, why string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.endless == nil {
		p.endless = map[string]error{}
	}
	p.endless[rpc] = &Endless{why}
	return p.endless[rpc]
}

// Endless is the error of the list if its pages did not end in the run.
func (p *Pages) Endless(rpc string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.endless[rpc]
}
