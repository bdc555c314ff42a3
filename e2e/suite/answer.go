// SPDX-License-Identifier: Apache-2.0

package suite

import "regexp"

// answer finds the status that a message is about, as the tiers and csi-sanity word it: a code that is not OK, and what the
// driver says of it.
var answer = regexp.MustCompile(`(?m)(?:^got: |^a call that the case needs failed: |the last status was |answered:? )((?:[A-Z_]{4,}|[Cc]ode\(?-?\d+\)?|\d+): "(?:[^"\\]|\\.)*")`)

// Answer returns the status of the driver that the message is about, such as NOT_FOUND: "no volume v"; "" where it is about
// none, about OK, or about one that says nothing but its code.
func Answer(message string) string {
	found := answer.FindStringSubmatch(message)
	if found == nil || len(found[1]) < len(`: ""`) || found[1][len(found[1])-len(`: ""`):] == `: ""` {
		return ""
	}
	return found[1]
}
