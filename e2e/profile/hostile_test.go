// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"
	"strings"
	"testing"
)

// hostile returns files that are mistaken for profiles, or that are made to take a reader's time and memory. If want is
// empty, Parse accepts them.
func hostile() []struct{ name, given, want string } {
	const shared = "secrets:\n  createVolume: &a {token: b}\n  deleteVolume:"
	return []struct{ name, given, want string }{
		{"an alias", sound + shared + " *a\n", ""},
		{"a merge key", sound + shared + " {<<: *a, other: c}\n", ""},
		{"merge keys of a list", sound + shared + " {<<: [*a, {c: d}]}\n", ""},
		{"a mistake behind a merge key", sound + "fill: {<<: {volumez: 5}}\n", `p.yaml:7:13: unknown field "volumez"`},
		{"merging a word", sound + "fill: {<<: a}\n", "p.yaml:7:12: << is a: want fields with values"},
		{"an alias of nothing", sound + "fsType: *a\nblock: true\n", "p.yaml:7: unknown anchor 'a' referenced"},
		{"a list of itself", sound + "restart: &a [*a]\n", "p.yaml:7:10: an entry is a list: want one word or text"},
		{"fields of themselves", sound + "fill: &a {<<: *a}\n", "p.yaml:7:7: the profile has too many values"},
		{"aliases of aliases", sound + "existingVolume:\n  volumeHandle: a\n  accessibleTopology: [&a {a: b, c: d}" + strings.Repeat(", *a", 8000) + "]\n", "the profile has too many values"},
		{"deep lists", sound + "restart: " + strings.Repeat("[", 1<<17), "p.yaml:7: exceeded max depth of 10000"},
		{"deep fields", sound + "fill: " + strings.Repeat("{a: ", 1<<17), "p.yaml:7: exceeded max depth of 10000"},
		{"deep fields that end", sound + "fill: " + strings.Repeat("{a: ", 5000) + strings.Repeat("}", 5000), `p.yaml:7:8: unknown field "a"`},
		{"ten million bytes", sound + strings.Repeat("#", 10<<20), "p.yaml has 10485884 bytes: want a profile of at most 1048576"},
		{"comments alone", strings.Repeat("#\n", 1<<16), "p.yaml is empty"},
		{"many open lists", strings.Repeat("- [\n", 1<<15), "p.yaml:1: "},
		{"a word that does not end", sound + "fsType: '" + strings.Repeat("a\n", 1<<16), "p.yaml:7: found unexpected end of stream"},
		{"many fields that do not exist", strings.Repeat("a", 1000) + ": a\n" + many("b%d: c\n", 1_000), "p.yaml has 901 more mistakes"},
		{"many keys", sound + "otherParameters:\n" + many("  b%d: c\n", 50_000), "the profile has too many values"},
		{"a NUL byte", sound + "fsType: a\x00b\n", "p.yaml:7: control characters are not allowed"},
		{"an executable", "\x7fELF\x02\x01\x01\x00", "p.yaml:1: control characters are not allowed"},
		{"no UTF-8", sound + "fsType: \xffa\n", "p.yaml:7: "},
		{"a byte order mark", "\ufeff" + sound, ""},
		{"a mistake behind a byte order mark", "\ufeffdrive: a\n", `p.yaml:1:1: unknown field "drive"`},
		{"lines that end in CRLF", strings.ReplaceAll(sound, "\n", "\r\n"), ""},
		{"a mistake in a line that ends in CRLF", strings.ReplaceAll(sound, "\n", "\r\n") + "block: yes\r\n", "p.yaml:7:8: block is yes: want true or false"},
		{"no YAML below a comment", "# A driver.\n\n" + sound + "fill:\n   volumes: 5\n bytes: 5\nblock: true\n", "p.yaml:11: did not find expected key"},
		{"a list as a key", sound + "[a]: b\n", "p.yaml:7:1: a key is a list: want a word"},
		{"a list as a profile", "- driver: a\n", "p.yaml:1:1: the profile is a list: want fields with values"},
		{"an empty entry", sound + "restart: [~, a]\n", "p.yaml:7:11: the program of restart is empty"},
		{"half a volume", sound + "fill: {volumes: 1.5}\n", "p.yaml:7:17: volumes is 1.5: want a whole number"},
		{"a tab behind spaces", sound + "fill:\n  \tvolumes: 5\n", "p.yaml:8:3: there is a tab"},
	}
}

// many returns the line for each of the numbers below n.
func many(line string, n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, line, i)
	}
	return text.String()
}

func TestParseHostileFiles(t *testing.T) {
	for _, c := range hostile() {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("p.yaml", []byte(c.given))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("Parse = %v, want an error with %q", err, c.want)
			}
			if lines := strings.Count(fmt.Sprint(err), "\n"); lines > 100 {
				t.Errorf("the error has %d lines", lines)
			}
		})
	}
}

// FuzzParse checks that every file leads to a profile or to an error that names the file, and never to a panic.
func FuzzParse(f *testing.F) {
	for _, c := range hostile() {
		if len(c.given) < 1<<10 {
			f.Add(c.given)
		}
	}
	f.Fuzz(func(t *testing.T, given string) {
		if _, err := Parse("p.yaml", []byte(given)); err != nil && !strings.HasPrefix(err.Error(), "p.yaml") {
			t.Errorf("Parse = %v, want an error that names the file", err)
		}
	})
}
