// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
)

// NewRun is a name for a run, of letters and digits: enough for runs on one driver not to meet.
func NewRun() string {
	const letters = 8
	return strings.ToLower(rand.Text()[:letters])
}

// RemoveWhatIsLeft tries once more to remove what cases could not remove, after an interrupt too, and prints what is left.
func (s *Suite) RemoveWhatIsLeft(ctx context.Context, out io.Writer) {
	removed, left := s.RemoveLeftovers(context.WithoutCancel(ctx))
	if removed > 0 {
		fmt.Fprintf(out, "\nRemoved at the end of the run, though not after their cases: %d things\n", removed)
	}
	if len(left) > 0 {
		fmt.Fprintf(out, "\nLeft in the driver, or perhaps left, for you to remove; the names of everything that this run made begin with csi-topo-%s:\n  %s\n",
			s.target.Run, strings.Join(left, "\n  "))
	}
}
