// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"regexp"
	"slices"
	"strings"
)

// answer finds the status that a message is about, as the tiers and csi-sanity word it: a code other than OK, and the
// driver's message.
var answer = regexp.MustCompile(`(?m)(?:^got: |^a call that the case needs failed: |the last status was |was refused: |answered:? )((?:[A-Z_]{4,}|[Cc]ode\(?-?\d+\)?|\d+): "(?:[^"\\]|\\.)*")`)

// Answer returns the driver's status that the message is about, such as NOT_FOUND: "no volume v"; "" if it is about
// none, about OK, or about one that has only a code.
func Answer(message string) string {
	if found := Answers(message); len(found) > 0 {
		return found[0]
	}
	return ""
}

// Answers returns all statuses of the driver that the message is about, as Answer returns them, each once; none if the
// first has only a code.
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
