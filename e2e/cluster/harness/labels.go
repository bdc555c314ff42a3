// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"slices"
	"time"
)

// Labels of needs that change how the tier runs a case.
const (
	SlowLabel  = "slow"
	ApartLabel = "apart"
)

// runsApart reports whether no other case may use the same room, because the case counts or takes room.
func runsApart(c Case) bool { return hasNeed(c, ApartLabel) }

// runsAlone reports whether no other case may run concurrently, on a target with or without pools.
func runsAlone(c Case, pools bool) bool { return c.Alone() || runsApart(c) && !pools }

// caseLimit returns the time limit of the case; others is the limit of ordinary cases.
func caseLimit(c Case, others time.Duration) time.Duration {
	const slower = 3
	if hasNeed(c, SlowLabel) {
		return slower * others
	}
	return others
}

func hasNeed(c Case, label string) bool {
	return slices.ContainsFunc(c.Needs, func(n Need) bool { return n.Label == label })
}
