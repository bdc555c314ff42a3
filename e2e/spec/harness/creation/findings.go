// SPDX-License-Identifier: Apache-2.0

package creation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
)

// describeFinding describes the request, the allowed answers, and the actual answer.
func describeFinding(got Answer, answers model.Answers, finding model.Finding) string {
	lines := []string{
		"CreateVolume was called with " + sent(got, answers.Asked).String(),
		"room in each segment:",
		answers.World.String(),
	}
	if answers.Existing != nil {
		lines = append(lines, "a volume of that name exists, accessible from "+answers.Existing.String())
	}
	lines = append(lines,
		"allowed:",
		answers.String(),
		"got: "+got.String(),
		"which is "+finding.String(),
	)
	for _, segment := range got.Segments {
		if finding.Grade == model.Forbidden && !knows(answers, segment) {
			lines = append(lines, fmt.Sprintf("if there are nodes in %s, name the endpoint of one, or the segment in the profile", segment))
		}
	}
	return strings.Join(lines, "\n")
}

// sent adds the requirement that was sent to the request that is judged.
func sent(got Answer, judged model.Request) model.Request {
	judged.Requisite, judged.Preferred = messages.Segments(got.Sent.GetRequisite()), messages.Segments(got.Sent.GetPreferred())
	judged.Empty = got.Sent != nil && judged.Free()
	return judged
}

// knows reports whether the topology contains a node that the suite knows, or is named by the request
// itself.
func knows(answers model.Answers, topology model.Segment) bool {
	asked := answers.Asked
	return asked.Requisite.Contains(topology) || asked.Preferred.Contains(topology) ||
		slices.ContainsFunc(answers.World.Places, func(place model.Place) bool { return place.Segment.Matches(topology) })
}

// clausesOf returns the clauses that a finding is about.
func clausesOf(finding model.Finding) []string {
	clauses := make([]string, 0, len(finding.Reasons))
	for _, reason := range finding.Reasons {
		clauses = append(clauses, reason.Clause)
	}
	return clauses
}
