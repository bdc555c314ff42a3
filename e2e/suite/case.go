// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Case is one question that a suite asks of a T, the thing under test as a case sees it.
type Case[T any] struct {
	// ID names the case in reports and on the command line, such as T-EQ-1 or size_omitted.
	ID string
	// Text describes the behaviour that the case shows: it completes a sentence that the tier begins.
	Text string
	// Requirements are the ids of the clauses that the case verifies, at least one.
	Requirements []string
	// Needs are the conditions of the case. It is skipped if one of them is not met.
	Needs []Need[T]
	// Labels select the case in addition to its id, its requirements and its needs, such as smoke.
	Labels []string
	// Long says that the case takes much longer than others, mostly waiting: it begins before them.
	Long bool
	// Deadly says that the case ends the driver's processes, or sends requests that have crashed real drivers: it runs
	// alone, after all others except closing ones, so that nothing else is lost if the driver does not come back.
	Deadly bool
	// Closing says that the case is about the run as a whole: it runs last, and reports its findings even if it was not
	// selected or no other case could begin.
	Closing bool
	// Run makes the calls and judges the answers. Everything that it creates is removed afterwards.
	Run func(ctx context.Context, t T)
}

// Area is a group of cases. The report is grouped by areas too.
type Area[T any] struct {
	Name  string
	Cases []Case[T]
}

// Alone reports whether the case must run alone.
func (c Case[T]) Alone() bool {
	return slices.ContainsFunc(c.Needs, func(n Need[T]) bool { return n.Alone })
}

// Takes returns the amount that the case takes of a resource shared by concurrent cases.
func (c Case[T]) Takes() int64 {
	most := int64(0)
	for _, n := range c.Needs {
		most = max(most, n.Takes)
	}
	return most
}

const (
	caseLabel        = "case:"
	requirementLabel = "req:"
	needLabel        = "needs:"
)

// AllLabels returns the labels that select the case: case:ID, req:ID for each requirement, needs:WHAT for each need,
// and its own. Needs in lower case come first, then needs:apart and needs:alone, and capabilities last.
func (c Case[T]) AllLabels() []string {
	labels := []string{caseLabel + c.ID}
	for _, id := range c.Requirements {
		labels = append(labels, requirementLabel+id)
	}
	needs := []string{}
	for _, n := range c.Needs {
		needs = append(needs, n.Label)
	}
	if c.Alone() {
		needs = append(needs, aloneNeed)
	}
	slices.SortStableFunc(needs, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	for _, need := range needs {
		if label := needLabel + need; need != "" && !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return append(labels, c.Labels...)
}

const apartNeed, aloneNeed = "apart", "alone"

// AloneLabel is the label of a case that must run alone.
const AloneLabel = needLabel + aloneNeed

// place returns the rank of a need's label among the labels of a case.
func place(need string) int {
	switch {
	case need == apartNeed:
		return 1
	case need == aloneNeed:
		return 2
	case strings.ToLower(need) != need: // a capability
		return 3
	default:
		return 0
	}
}

// withPrefix returns the rest of each label that begins with the prefix.
func withPrefix(labels []string, prefix string) []string {
	var found []string
	for _, label := range labels {
		if rest, has := strings.CutPrefix(label, prefix); has {
			found = append(found, rest)
		}
	}
	return found
}
