// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// suspects returns calls that are in flight when the driver dies, in the order in which they
// notice.
func suspects(h *Health, of ...string) []*Suspect {
	var all []*Suspect
	for _, rpc := range of {
		all = append(all, h.Suspect(Cut{RPC: rpc}, strings.HasPrefix(rpc, "invalid")))
	}
	return all
}

func TestSuspectsAreHeardOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Health{}
		var mu sync.Mutex
		var heard []string
		running := 0
		var all sync.WaitGroup
		for _, s := range suspects(h, "a", "invalid", "b") {
			all.Go(func() {
				if err := s.Turn(t.Context()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				heard = append(heard, s.call.RPC)
				running++
				if running > 1 {
					t.Errorf("%v are repeated at the same time", heard)
				}
				mu.Unlock()
				if s.Alone() {
					t.Errorf("%s was not alone", s.call.RPC)
				}
				<-time.After(time.Second)
				mu.Lock()
				running--
				mu.Unlock()
				h.Dismiss(s)
			})
		}
		all.Go(func() { // another call
			leave, err := h.Enter(t.Context())
			if err != nil {
				t.Error(err)
			}
			defer leave()
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, "another")
		})
		all.Wait()
		if got := strings.Join(heard, " "); !strings.HasPrefix(got, "invalid ") || !strings.HasSuffix(got, " another") {
			t.Errorf("got %s, want the invalid one first, and another call after all of them", got)
		}
		if unexplained := h.Unexplained(); len(unexplained) != 1 || len(unexplained[0]) != 3 {
			t.Errorf("got %v, want the three calls of which none ended the driver again", unexplained)
		}
		if h.Crashes() != 1 {
			t.Errorf("got %d crashes, want one", h.Crashes())
		}
	})
}

func TestASuspectMayBeAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Health{}
		leave, err := h.Enter(t.Context()) // of a call to another endpoint, which the crash does not affect
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		s := suspects(h, "a")[0]
		if err := s.Turn(t.Context()); err != nil || time.Since(began) != gathering {
			t.Errorf("got its turn after %s, %v, want %s for others to come", time.Since(began), err, gathering)
		}
		if !s.Alone() {
			t.Error("want it alone")
		}
		h.Kill(s)
		h.Dismiss(s)
		leave()
		if len(h.Unexplained()) > 0 || !h.IsDeadly("a") || h.IsDeadly("b") {
			t.Errorf("want that a is known for the end, got %v", h.Unexplained())
		}
	})
}

// TestASurveyThatBrokeOnceIsUnexplained checks that the run reports a survey call during which the connection broke once,
// because no case does.
func TestASurveyThatBrokeOnceIsUnexplained(t *testing.T) {
	h := &Health{}
	s := suspects(h, "ListVolumes {}")[0]
	h.Answered(s)
	h.Dismiss(s)
	h.Dismiss(suspects(h, "CreateVolume {}")[0])
	if got := h.Unexplained(); len(got) != 1 || got[0][0].RPC != "ListVolumes {}" {
		t.Errorf("got %v, want the call of the survey", got)
	}
}

func TestAnInquestEndsWithTheCase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Health{}
		all := suspects(h, "a", "b")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := all[0].Turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := all[1].Turn(ctx); err == nil {
			t.Error("want the turn of b after that of a")
		}
		if _, err := h.Enter(ctx); err == nil {
			t.Error("want no other call meanwhile")
		}
		h.Dismiss(all[1])
		h.Dismiss(all[0])
		h.Dismiss(all[0])
		if leave, err := h.Enter(t.Context()); err != nil {
			t.Error(err)
		} else {
			leave()
		}
	})
}
