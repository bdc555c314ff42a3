// SPDX-License-Identifier: Apache-2.0

package runner_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// output keeps what a sample prints, and lets a test wait for a part of it.
type output struct {
	mu      sync.Mutex
	printed bytes.Buffer
	changed chan struct{}
}

func newOutput() *output {
	return &output{changed: make(chan struct{}, 1)}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.changed <- struct{}{}:
	default:
	}
	return o.printed.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.printed.String()
}

// waitFor returns when the text has been printed, and fails the test if that takes longer than any sample may.
func (o *output) waitFor(t *testing.T, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for !strings.Contains(o.String(), text) {
		select {
		case <-o.changed:
		case <-ctx.Done():
			t.Fatalf("%q was not printed", text)
		}
	}
}
