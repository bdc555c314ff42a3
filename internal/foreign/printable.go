// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns the text with everything that a terminal would interpret instead of show as JSON escapes such as
// \u001b: control characters other than line feeds and tabs, characters that change the direction of text, and bytes that
// are not UTF-8. So a driver's response cannot move the cursor, hide lines or set the title of a window.
func Printable(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 {
		return text
	}
	var shown strings.Builder
	for _, r := range text {
		switch {
		case !obeyed(r):
			shown.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&shown, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&shown, `\u%04x`, r)
		}
	}
	return shown.String()
}

// obeyed reports whether a terminal may interpret the character. A byte that is not UTF-8 is utf8.RuneError here.
func obeyed(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError)
}

// OnlyPrintable returns a writer that passes text on as converted by Printable.
func OnlyPrintable(out io.Writer) io.Writer { return &filter{out: out} }

// filter is a writer that makes text printable. It is safe for concurrent use.
type filter struct {
	mutex sync.Mutex // guards the fields below
	out   io.Writer
	// begun holds the bytes at the end of the last write that later bytes may complete to a character.
	begun []byte
}

// Write writes the bytes as converted by Printable.
func (f *filter) Write(p []byte) (int, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	text := append(f.begun, p...)
	whole := len(text) - incomplete(text)
	f.begun = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(f.out, Printable(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// incomplete returns the number of bytes at the end that are an incomplete character.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if rest := text[len(text)-n:]; utf8.RuneStart(rest[0]) {
			if utf8.FullRune(rest) {
				return 0
			}
			return n
		}
	}
	return 0
}
