package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/gomega/types"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// BeAllowedBy succeeds when an Answer is one that the specification allows. One that it leaves open though users will
// regret it succeeds too, and makes the case's verdict a warning.
func BeAllowedBy(answers model.Answers) types.GomegaMatcher {
	return &allowed{answers: answers, warn: verdict.Warn}
}

type allowed struct {
	answers model.Answers
	warn    func(format string, args ...any)
}

// Match judges the answer.
func (m *allowed) Match(actual any) (bool, error) {
	got, ok := actual.(Answer)
	if !ok {
		return false, fmt.Errorf("BeAllowedBy judges an Answer of CreateVolume, not a %T", actual)
	}
	finding := m.answers.Judge(got.Answer)
	if finding.Grade == model.Discouraged {
		m.warn("%s", m.describe(got, finding))
	}
	return finding.Grade != model.Forbidden, nil
}

// FailureMessage says what was asked, what is allowed, and what came instead.
func (m *allowed) FailureMessage(actual any) string {
	got := actual.(Answer)
	return m.describe(got, m.answers.Judge(got.Answer))
}

// NegatedFailureMessage says the same: the answer was allowed.
func (m *allowed) NegatedFailureMessage(actual any) string {
	return m.FailureMessage(actual)
}

func (m *allowed) describe(got Answer, finding model.Finding) string {
	lines := []string{
		"CreateVolume was asked for " + m.answers.Asked.String(),
		"room in each segment:",
		m.answers.World.String(),
	}
	if m.answers.Existing != nil {
		lines = append(lines, "a volume of that name exists, accessible from "+m.answers.Existing.String())
	}
	lines = append(lines,
		"allowed:",
		m.answers.String(),
		"got: "+got.String(),
		"which is "+finding.String(),
	)
	for _, segment := range got.Segments {
		if finding.Grade == model.Forbidden && !m.knows(segment) {
			lines = append(lines, fmt.Sprintf("if there are nodes in %s, name the endpoint of one, or the segment in the profile", segment))
		}
	}
	return strings.Join(lines, "\n")
}

// knows reports whether a node that the suite knows is in the topology, or the request itself named it.
func (m *allowed) knows(topology model.Segment) bool {
	asked := m.answers.Asked
	return asked.Requisite.Contains(topology) || asked.Preferred.Contains(topology) ||
		slices.ContainsFunc(m.answers.World, func(place model.Place) bool { return place.Segment.Matches(topology) })
}
