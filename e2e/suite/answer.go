// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"regexp"
	"slices"
	"strings"
)

// answer finds the status that a message is about, as the tiers and csi-sanity word it: a code that is not OK, and what the
// driver says of it.
var answer = regexp.MustCompile(`(?m)(?:^got: |^a call that the case needs failed: |the last status was |was refused: |answered:? )((?:[A-Z_]{4,}|[Cc]ode\(?-?\d+\)?|\d+): "(?:[^"\\]|\\.)*")`)

// Answer returns the status of the driver that the message is about, such as NOT_FOUND: "no volume v"; "" where it is about
// none, about OK, or about one that says nothing but its code.
func Answer(message string) string {
	if found := Answers(message); len(found) > 0 {
		return found[0]
	}
	return ""
}

// Answers returns all statuses of the driver that the message is about, as Answer has them, each once; none where the first says
// nothing but its code.
func Answers(message string) []string {
	var all []string
	for i, found := range answer.FindAllStringSubmatch(message, -1) {
		saysNothing := strings.HasSuffix(found[1], `: ""`)
		if i == 0 && saysNothing {
			return nil
		}
		if !saysNothing && !slices.Contains(all, found[1]) {
			all = append(all, found[1])
		}
	}
	return all
}
