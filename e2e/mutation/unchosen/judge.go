// SPDX-License-Identifier: Apache-2.0

package unchosen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Unanswerable is the clause that every case may blame when a call is not answered.
const Unanswerable = "GEN-08"

// Finding is what one run of some cases found.
type Finding struct {
	Outcome Outcome `yaml:"outcome"`
	By      string  `yaml:"by,omitempty"`
	Clause  string  `yaml:"clause,omitempty"`
	// Ended says that the process of the driver ended, where it has one of its own.
	Ended bool `yaml:"ended,omitempty"`
}

// Judge is what cases found, of which the right driver has some itself, by case: these count for nothing. A case that
// fails or warns by a clause kills a mutant, but for one that only says that a call was not answered: that has to be
// Confirmed.
func Judge(cases []report.Case, but map[string]string) Finding {
	found := Finding{Outcome: Survived}
	for _, c := range cases {
		if Said(c) == "" || but[c.ID] == Said(c) {
			continue
		}
		answered := slices.DeleteFunc(slices.Clone(c.Blamed), func(clause string) bool { return clause == Unanswerable })
		if c.Verdict != suite.Errored && len(answered) > 0 {
			return Finding{Outcome: Killed, By: c.ID, Clause: strings.Join(answered, " ")}
		}
		if found.Outcome == Survived {
			found = Finding{Outcome: Noticed, By: fmt.Sprintf("%s: %s", c.ID, Said(c))}
		}
	}
	return found
}

// Unanswered is how many cases blame the driver for a call that was not answered.
func Unanswered(cases []report.Case) int {
	count := 0
	for _, c := range cases {
		if slices.Contains(c.Blamed, Unanswerable) {
			count++
		}
	}
	return count
}

// Said is what a case has against a driver; "" is nothing.
func Said(c report.Case) string {
	switch c.Verdict {
	case suite.Failed, suite.Warned, suite.Errored:
		return strings.Join(append([]string{string(c.Verdict)}, c.Blamed...), " ")
	default:
		return ""
	}
}
