// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"fmt"
	"strings"
)

// AsProcess begins what was noticed of the process of a mutant, and not by a case.
const AsProcess = "the process: "

// ways are how many of the mutants that were noticed as an error ended how.
type ways struct {
	// broken did not start; crashed ended, and silent did not answer a call in time, which was not
	// confirmed of either; others answered, and cases could not tell.
	broken, crashed, silent, others int
}

// add counts a mutant that was noticed as an error. A judge that gives up on a driver exits with 1; where the driver is in
// the same process and panics, with 2.
func (w *ways) add(m Mutant) {
	said, process := strings.CutPrefix(m.By, AsProcess)
	switch {
	case process && strings.HasPrefix(said, "exit status 1:"):
		w.broken++
	case m.Ended || process && strings.HasPrefix(said, "exit status 2:"):
		w.crashed++
	case process || strings.HasSuffix(said, Unanswerable):
		w.silent++
	default:
		w.others++
	}
}

func (w *ways) String() string {
	return fmt.Sprintf("%d do not start, %d crash and %d do not answer a call in time without that being confirmed, and of %d that answer, cases cannot tell whether they are right",
		w.broken, w.crashed, w.silent, w.others)
}
