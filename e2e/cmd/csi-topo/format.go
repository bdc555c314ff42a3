// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"
)

// format is the format of a printed list: "" is a table as wide as a terminal, wide is a table of everything.
type format string

const (
	formatWide format = "wide"
	formatYAML format = "yaml"
	formatJSON format = "json"
	// formatMarkdown is only for requirements.
	formatMarkdown = "markdown"
	// formatConformance is only for cases.
	formatConformance = "conformance"
)

// terminalWidth is the maximum width of a table on a terminal, in characters.
const terminalWidth = 120

// formats returns the formats that every list has, and a command's own formats.
func formats(own []string) []string { return append([]string{"wide", "yaml", "json"}, own...) }

// addTo adds the flag to a command, with the command's own formats.
func (f *format) addTo(command *cobra.Command, own ...string) {
	help := "the `format`: wide for all columns, yaml or json for everything"
	for _, more := range own {
		help += ", or " + more
	}
	command.Flags().StringVarP((*string)(f), "output", "o", "", help)
	completeFlag(command, "output", words(formats(own)...))
}

func (f format) check(own ...string) error {
	known := formats(own)
	if f == "" || slices.Contains(known, string(f)) {
		return nil
	}
	last := len(known) - 1
	return fmt.Errorf("unknown output format %q: want %s or %s", f, strings.Join(known[:last], ", "), known[last])
}

// print prints the value as YAML or JSON, and reports whether the format is one of them.
func (f format) print(out io.Writer, value any) (done bool, err error) {
	var text []byte
	switch f {
	case formatYAML:
		text, err = yaml.Marshal(value)
	case formatJSON:
		text, err = json.MarshalIndent(value, "", "  ")
		text = append(text, '\n')
	default:
		return false, nil
	}
	if err != nil {
		return true, fmt.Errorf("printing as %s: %w", f, err)
	}
	_, err = out.Write(text)
	return true, err
}

// shorten cuts a text at the end of a word so that it has at most the given number of characters; three dots mark the cut.
func shorten(text string, most int) string {
	const dots = "..."
	if len([]rune(text)) <= most {
		return text
	}
	var short strings.Builder
	room := most - len(dots)
	for i, word := range strings.Fields(text) {
		length := len([]rune(word))
		if i > 0 {
			length++
		}
		if room -= length; room < 0 {
			break
		}
		if i > 0 {
			short.WriteByte(' ')
		}
		short.WriteString(word)
	}
	return strings.TrimRight(short.String(), ",;:.") + dots
}

// wrap breaks a text between words into lines of at most the given number of characters, unless a word is longer.
func wrap(text string, most int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) <= most:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// count returns a number of things in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
