// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"regexp"
	"strings"
)

// keyword matches RFC 2119's words for a demand or a recommendation. MAY and OPTIONAL, which permit, are not among
// them.
var keyword = regexp.MustCompile(`\b(MUST|REQUIRED|SHALL|SHOULD|RECOMMENDED)\b`)

// Line is one line of the specification.
type Line struct {
	// Number counts from 1.
	Number int
	Text   string
}

// Demanding returns the lines of a specification with a keyword: MUST, REQUIRED, SHALL, SHOULD or RECOMMENDED, also with
// NOT.
func Demanding(text string) []Line {
	var found []Line
	for i, line := range strings.Split(text, "\n") {
		if keyword.MatchString(line) {
			found = append(found, Line{Number: i + 1, Text: line})
		}
	}
	return found
}

// Says returns the text of the line without the marks of a comment, a list or a table.
func (l Line) Says() string {
	text := strings.TrimSpace(l.Text)
	for _, mark := range []string{"//", "*", "-", "#####", "|"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, mark))
	}
	return text
}

// quoted returns the line as a quotation for a message.
func (l Line) quoted() string { return `"` + shortened([]rune(l.Says())) + `"` }

// quotedBeside quotes two different lines, from their first different word.
func quotedBeside(a, b Line) (string, string) {
	const before = 30 // letters that both have, so that readers find the place
	one, other := []rune(a.Says()), []rune(b.Says())
	same, start := 0, 0
	for same < min(len(one), len(other)) && one[same] == other[same] {
		if one[same] == ' ' && same >= start+before {
			start = same - before
		}
		same++
	}
	if start == 0 {
		return a.quoted(), b.quoted()
	}
	return `"…` + shortened(one[start:]) + `"`, `"…` + shortened(other[start:]) + `"`
}

func shortened(text []rune) string {
	const most = 100
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
