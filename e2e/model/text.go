// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strings"
)

// String lists the allowed answers, each followed by the clauses that allow it.
func (a Answers) String() string {
	var lines []string
	for _, volume := range a.Volumes {
		lines = append(lines, line("OK, accessible from "+volume.Segments.String(), volume.Discouraged, slices.Concat(volume.Reasons, volume.Caveats)))
	}
	for _, refusal := range a.Refusals {
		lines = append(lines, line(CodeName(refusal.Code), refusal.Discouraged, refusal.Reasons))
	}
	return strings.Join(lines, "\n")
}

func line(answer string, discouraged bool, reasons []Reason) string {
	if discouraged {
		answer += " (with a warning)"
	}
	return "    " + answer + "\n        " + join(reasons)
}
