// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"fmt"
	"strings"
)

// AsProcess is how it begins what was noticed of the process that a mutant runs in, and not by a case.
const AsProcess = "the process: "

// ways are how many of the mutants that were noticed as an error ended how.
type ways struct {
	// broken did not start, or not end as they are to; dead ended by themselves while they were called; silent did not
	// answer in time; others answered, and cases could not tell.
	broken, dead, silent, others int
}

// add counts a mutant that was noticed as an error. A program that gives up exits with 1, one that panics with 2.
func (w *ways) add(m Mutant) {
	said, process := strings.CutPrefix(m.By, AsProcess)
	switch {
	case process && strings.HasPrefix(said, "exit status 1:"):
		w.broken++
	case process && strings.HasPrefix(said, "exit status 2:"):
		w.dead++
	case process || strings.HasSuffix(said, unanswered):
		w.silent++
	default:
		w.others++
	}
}

func (w *ways) String() string {
	return fmt.Sprintf("%d do not start, or do not stop as they are to; %d die of a call; %d do not answer a call in time; %d answer, and cases cannot tell",
		w.broken, w.dead, w.silent, w.others)
}
