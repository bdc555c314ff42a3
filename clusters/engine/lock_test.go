// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

func TestLockCountsUsers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "users.lock")
	share := func() *lock {
		t.Helper()
		l, err := lockFile(t.Context(), path, false)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	leave := func(l *lock, wantLast bool) {
		t.Helper()
		last, err := l.leave()
		if err != nil || last != wantLast {
			t.Fatalf("leave() = %v, %v, want %v", last, err, wantLast)
		}
	}
	first, second := share(), share()
	leave(first, false)
	third := share()
	leave(second, false)
	leave(third, true)
	leave(share(), true)
}

func TestLockFileWaitsAndGivesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lifecycle.lock")
	holder, err := lockFile(t.Context(), path, true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*lockRetry)
	defer cancel()
	if _, err := lockFile(ctx, path, true); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a second exclusive lock gave %v, want a deadline", err)
	}
	time.AfterFunc(lockRetry, holder.release)
	next, err := lockFile(t.Context(), path, true)
	if err != nil {
		t.Fatalf("the lock that was released gave %v", err)
	}
	next.release()
}
