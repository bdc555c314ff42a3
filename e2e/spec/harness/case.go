// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"slices"

	"github.com/onsi/ginkgo/v2"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Case is one question that the suite asks of a driver.
type Case struct {
	// ID names the case in reports and on the command line, such as T-EQ-1 or size_omitted.
	ID string
	// Text says what a driver that passes does, as the rest of a sentence that begins with "the driver".
	Text string
	// Requirements are the ids of the clauses that the case verifies, at least one.
	Requirements []string
	// Needs is what the case requires; without it the case is skipped.
	Needs Needs
	// PassesOverWaived says that the case itself leaves out what the profile waives; any other is skipped as a whole.
	PassesOverWaived bool
	// Run asks, and judges the answers. Everything that it creates is removed afterwards.
	Run func(ctx context.Context, driver *Driver)
}

// Labels are the case's id, its requirements and its needs, as Ginkgo's labels.
func (c Case) Labels() ginkgo.Labels {
	return slices.Concat(verdict.Case(c.ID, c.Requirements...), c.Needs.labels())
}

// Area is a group of cases, by which the report is grouped too.
type Area struct {
	Name  string
	Cases []Case
}
