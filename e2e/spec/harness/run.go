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

// NewRun is a name for a run, of letters and digits: enough for runs on one driver not to meet.
func NewRun() string {
	const letters = 8
	return strings.ToLower(rand.Text()[:letters])
}

// RemoveWhatIsLeft tries once more to remove what cases could not remove, after an interrupt too but not after a second one,
// and prints what is left.
func (s *Suite) RemoveWhatIsLeft(ctx context.Context, out io.Writer) {
	cleaning, cancel := suite.CleanUp(ctx, s.target.Timeouts.Cleanup)
	defer cancel()
	removed, left := s.RemoveLeftovers(cleaning)
	if removed > 0 {
		fmt.Fprintf(out, "\nRemoved at the end of the run, though not after their cases: %d things\n", removed)
	}
	if len(left) > 0 {
		fmt.Fprintf(out, "\nLeft in the driver, or perhaps left, for you to remove; the names of everything that this run made begin with csi-topo-%s:\n  %s\n",
			s.target.Run, s.Mask().Text(strings.Join(left, "\n  ")))
	}
}

// RemoveLeftovers tries once more to remove what cases could not remove, after the last of them, until ctx ends. It returns
// how many things it removed, and names those that are left for somebody else to remove.
func (s *Suite) RemoveLeftovers(ctx context.Context) (removed int, left []string) {
	s.connecting.Lock()
	for _, d := range s.drivers { // of cases that were left behind
		s.health.Leave(d.ledger.Clear())
	}
	s.connecting.Unlock()
	for _, e := range slices.Backward(s.health.TakeLeft()) {
		err := errors.New("there was no time left to remove it")
		if ctx.Err() == nil {
			err = e.Undo(attempt.Tolerant(ctx))
		}
		if err != nil {
			left = append(left, ledger.Stuck(e, err).Error())
			continue
		}
		removed++
	}
	return removed, left
}
