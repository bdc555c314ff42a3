// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestKeyedLock(t *testing.T) {
	locks := newKeyedLock()
	unlock, err := locks.lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := locks.lock(t.Context(), "b")
	if err != nil {
		t.Fatalf("another key had to wait: %v", err)
	}
	other()

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := locks.lock(gone, "a"); status.Code(err) != codes.Aborted {
		t.Errorf("who gave up waiting got %v, want ABORTED", err)
	}
	unlock()
	again, err := locks.lock(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	again()
	if _, err := locks.lock(gone, "a"); status.Code(err) != codes.Aborted {
		t.Errorf("who had given up when the key was free got %v, want ABORTED", err)
	}
	if len(locks.held) != 0 {
		t.Errorf("%d keys are kept that nobody holds", len(locks.held))
	}
}

func TestKeyedLockAdmitsOne(t *testing.T) {
	locks := newKeyedLock()
	var wait sync.WaitGroup
	inside := 0 // the race detector, and the check below, see whether two are inside
	for range 100 {
		wait.Go(func() {
			unlock, err := locks.lock(t.Context(), "a")
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			inside++
			if inside != 1 {
				t.Errorf("%d hold the lock", inside)
			}
			inside--
		})
	}
	wait.Wait()
	if len(locks.held) != 0 {
		t.Errorf("%d keys are kept that nobody holds", len(locks.held))
	}
}
