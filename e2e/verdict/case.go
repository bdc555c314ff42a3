// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
)

const (
	caseLabel        = "case:"
	requirementLabel = "req:"
	needLabel        = "needs:"
)

// Case names a case and the requirements it verifies, as labels to decorate an It or a table's Entry with. It panics
// while the tree of cases is built if the id, the list of requirements or one of them is empty: a case that verifies
// nothing shows nothing.
func Case(id string, requirements ...string) ginkgo.Labels {
	if id == "" {
		panic("verdict.Case: a case needs an id")
	}
	if len(requirements) == 0 || slices.Contains(requirements, "") {
		panic("verdict.Case: case " + id + " needs at least one requirement, and none of them empty")
	}
	labels := ginkgo.Labels{caseLabel + id}
	for _, requirement := range requirements {
		labels = append(labels, requirementLabel+requirement)
	}
	return labels
}

// Unregistered names a case of another suite, which verifies no requirement of the register.
func Unregistered(id string) ginkgo.Labels {
	return ginkgo.Labels{caseLabel + id}
}

// CaseID returns the id that Case put among the labels, or "" if there is none.
func CaseID(labels []string) string {
	for _, label := range labels {
		if id, found := strings.CutPrefix(label, caseLabel); found {
			return id
		}
	}
	return ""
}

// Requirements returns the requirement ids that Case put among the labels, in their order.
func Requirements(labels []string) []string {
	return withPrefix(labels, requirementLabel)
}

// Needing returns the labels for what a case needs.
func Needing(needs ...string) ginkgo.Labels {
	labels := ginkgo.Labels{}
	for _, need := range needs {
		labels = append(labels, needLabel+need)
	}
	return labels
}

// Needs returns what Needing put among the labels, in their order.
func Needs(labels []string) []string {
	return withPrefix(labels, needLabel)
}

func withPrefix(labels []string, prefix string) []string {
	var found []string
	for _, label := range labels {
		if rest, has := strings.CutPrefix(label, prefix); has {
			found = append(found, rest)
		}
	}
	return found
}
