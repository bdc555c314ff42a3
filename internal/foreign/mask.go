// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Masked replaces the value of a secret, with the same text as protosanitizer.
const Masked = "***stripped***"

const (
	// shortestSecret is the minimum length of a secret in bytes: shorter values occur in every text.
	shortestSecret = 4
	// shortestPart is the minimum length in bytes of a value that is masked even within a longer word.
	shortestPart = 8
)

// Mask hides values, such as secrets, in any text that quotes them.
type Mask struct {
	parts *strings.Replacer // nil without any
	words []string
}

// NewMask returns a mask of the values, line by line. Values of less than 4 bytes, and words of plain, which are public,
// are not hidden. A value of less than 8 bytes is hidden where it is a whole word, and a longer one everywhere.
func NewMask(values []string, plain string) *Mask {
	m := &Mask{}
	var parts []string
	for _, value := range values {
		lines := strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' })
		for _, line := range lines {
			line = strings.TrimSpace(line)
			switch {
			case len(line) < shortestSecret || replaceWords(plain, line, "") != plain:
			case len(line) >= shortestPart:
				parts = append(parts, forms(line)...)
			case len(lines) == 1: // a short line of a longer value, such as a bracket, reveals nothing
				m.words = append(m.words, forms(line)...)
			}
		}
	}
	if len(parts) > 0 {
		m.parts = strings.NewReplacer(pairs(parts)...)
	}
	m.words = longestFirst(m.words)
	return m
}

// Text returns the text with the values hidden.
func (m *Mask) Text(text string) string {
	if m == nil {
		return text
	}
	if m.parts != nil {
		text = m.parts.Replace(text)
	}
	for _, word := range m.words {
		text = replaceWords(text, word, Masked)
	}
	return text
}

// Error returns the error with the values hidden in its text; nil for nil.
func (m *Mask) Error(err error) error {
	if m == nil || err == nil {
		return err
	}
	return masked{err, m.Text(err.Error())}
}

type masked struct {
	error
	text string
}

// Error returns the text without the values.
func (e masked) Error() string { return e.text }

// Unwrap returns the error that was masked.
func (e masked) Unwrap() error { return e.error }

// forms returns the forms in which a text may contain a value: unquoted, quoted as in JSON and in Go, and quoted
// repeatedly, such as a driver's message within the message of a case.
func forms(value string) []string {
	const deepest = 3
	all := []string{value}
	for range deepest {
		for _, form := range all {
			all = append(all, unquoted(strconv.Quote(form)))
			for _, escaped := range []bool{false, true} {
				var text bytes.Buffer
				encoder := json.NewEncoder(&text)
				encoder.SetEscapeHTML(escaped)
				if encoder.Encode(form) == nil {
					all = append(all, unquoted(strings.TrimSpace(text.String())))
				}
			}
		}
		all = longestFirst(all)
	}
	return all
}

func unquoted(text string) string { return text[1 : len(text)-1] }

// longestFirst returns the texts, each once, the longest first, so that a text that contains another one is hidden
// completely.
func longestFirst(texts []string) []string {
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(texts)
}

func pairs(texts []string) []string {
	var all []string
	for _, text := range longestFirst(texts) {
		all = append(all, text, Masked)
	}
	return all
}

// replaceWords replaces the word where no letter or digit is next to it.
func replaceWords(text, word, by string) string {
	var replaced strings.Builder
	for from := 0; ; {
		found := strings.Index(text[from:], word)
		if found < 0 {
			replaced.WriteString(text[from:])
			return replaced.String()
		}
		at := from + found
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		replaced.WriteString(text[from:at])
		if inWord(before) || inWord(after) {
			replaced.WriteString(word)
		} else {
			replaced.WriteString(by)
		}
		from = at + len(word)
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
