// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/ledger"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// NewRun returns a name for a run, of letters and digits, long enough that runs on one driver do not collide.
func NewRun() string {
	const letters = 8
	return strings.ToLower(rand.Text()[:letters])
}

// RemoveWhatIsLeft tries once more to remove the objects that cases could not remove, even after one interrupt, and prints
// the remaining ones. It reports whether any object of the run is, or may be, left.
func (s *Suite) RemoveWhatIsLeft(ctx context.Context, out io.Writer) (isLeft bool) {
	cleaning, cancel := suite.CleanUp(ctx, s.target.Timeouts.Cleanup)
	defer cancel()
	removed, left := s.RemoveLeftovers(cleaning)
	if removed > 0 {
		fmt.Fprintf(out, "\nRemoved at the end of the run, and not after the cases that made them: %d objects\n", removed)
	}
	if len(left) > 0 {
		fmt.Fprintf(out, "\nLeft in the driver, or possibly left, for you to remove; the names of everything that this run made begin with %s:\n  %s\n",
			s.target.Profile.Names(s.target.Run), s.Mask().Text(strings.Join(left, "\n  ")))
	}
	if err := s.target.Journal.Err(); err != nil && len(left) > 0 {
		fmt.Fprintf(out, "\nThe journal of the run is incomplete, so more may be left: %v\n", err)
	}
	if others := s.health.Own.Others(); len(others) > 0 {
		fmt.Fprintf(out, "\nNot touched, because nothing shows that this run made it; remove it if no one else uses it, or set exclusive: true in the profile if no one else uses the back end:\n  %s\n",
			s.Mask().Text(strings.Join(others, "\n  ")))
	}
	return len(left) > 0
}

// RemoveLeftovers tries once more to remove the objects that cases could not remove, after the last case, until ctx ends. It
// returns the number of objects that it removed, and the names of the remaining ones.
func (s *Suite) RemoveLeftovers(ctx context.Context) (removed int, left []string) {
	s.connecting.Lock()
	for _, d := range s.drivers { // of cases that were left behind
		s.health.Leave(d.ledger.Clear())
	}
	s.connecting.Unlock()
	stopped := s.health.StoppedSince() != ""
	entries := s.health.TakeLeft()
	if len(entries) > 0 && stopped {
		_ = s.waitForAll(ctx) // the driver may have come back; if not, nothing is removed
	}
	failures := undoAll(attempt.CleaningUp(ctx), entries)
	for _, f := range failures {
		left = append(left, ledger.Stuck(f.Entry, f.err).Error())
	}
	return len(entries) - len(failures), left
}

// undoAll removes the entries once, newest first, until ctx ends, and returns the ones that are left.
func undoAll(ctx context.Context, entries []ledger.Entry) (failures []failedRemoval) {
	for _, e := range slices.Backward(entries) {
		err := errors.New("there was no time left to remove it")
		if ctx.Err() == nil {
			err = undo(ctx, e, failures)
		}
		if err != nil && !isMoot(err) {
			failures = append(failures, failedRemoval{e, err})
		}
	}
	return failures
}
