// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Case is one story that the tier has a cluster and a driver tell.
type Case struct {
	// ID names the case in reports and on the command line, and is the name of its file.
	ID string
	// Text says what is shown, as the rest of a sentence that begins with "the cluster, with the driver,".
	Text string
	// Requirements are the ids of the clauses and behaviours that the case verifies, at least one.
	Requirements []string
	// Needs is what the case takes for granted; without it the case is skipped.
	Needs Needs
	// Smoke says that the case is part of the short run.
	Smoke bool
	// Long says that the case takes more than half a minute, most of it waiting: it begins before others.
	Long bool
	// Run tells the story, and judges what it sees. Everything that it creates is removed afterwards.
	Run func(ctx context.Context, s *Scenario)
}

// Labels are the case's id, its requirements, its needs, and smoke, as Ginkgo's labels.
func (c Case) Labels() ginkgo.Labels {
	labels := slices.Concat(verdict.Case(c.ID, c.Requirements...), c.Needs.labels())
	if c.Smoke {
		labels = append(labels, "smoke")
	}
	return labels
}

// meetWaivers skips a case that the vendor waives, or one of whose requirements.
func (t *Target) meetWaivers(c Case) {
	if reason, waived := t.Waived[c.ID]; waived {
		suite.Skip(suite.ByWaiver, "%s", reason)
	}
	for _, id := range c.Requirements {
		if reason, waived := t.Waived[id]; waived {
			suite.Skip(suite.ByWaiver, "%s: %s", id, reason)
		}
	}
}

// Area is a group of cases, by which the report is grouped too.
type Area struct {
	Name  string
	Cases []Case
}
