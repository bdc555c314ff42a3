// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	_ "embed" // history.yaml
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// History records the version of the specification that introduced each line and symbol. It is computed from the texts of
// all versions.
type History struct {
	// Lines maps numbers of lines of the ledger's version to the version that introduced their content. The other lines are
	// from 1.0.
	Lines map[string]string `yaml:"lines"`
	// Symbols maps a version to the messages, fields, enumerations, their values and RPCs that it introduced, such as
	// GetCapacityResponse.maximum_volume_size and "rpc GetSnapshot".
	Symbols map[string][]string `yaml:"symbols"`
}

// HistoryPath is the file with the history, below the repository's root.
const HistoryPath = "e2e/requirement/ledger/history.yaml"

//go:embed history.yaml
var historyFile []byte

// RecordedHistory reads history.yaml.
func RecordedHistory() (History, error) {
	var read History
	if err := decode(historyFile, &read); err != nil {
		return History{}, fmt.Errorf("%s: %w", HistoryPath, err)
	}
	return read, nil
}

// HistoryOf returns the history of the specification's texts, one for each of requirement.Versions. A line is as old as the
// oldest text that has it, or has a line in its place with half of its words and the same keywords; but it is not older
// than its field or heading.
func HistoryOf(texts []string) History {
	newest := len(texts) - 1
	since := traced(texts)
	of, _ := symbols(texts[newest])
	first := firstOf(texts)
	lines := map[string][]int{}
	for i, minor := range since {
		if minor = max(minor, first[of[i]]); minor > 0 { // unlisted lines are from 1.0
			version := requirement.Versions()[minor]
			lines[version] = append(lines[version], i+1)
		}
	}
	made := History{Lines: map[string]string{}, Symbols: map[string][]string{}}
	for version, numbers := range lines {
		made.Lines[version] = strings.TrimPrefix(strings.TrimPrefix(list(numbers), "lines "), "line ")
	}
	for symbol, minor := range first {
		if !strings.HasPrefix(symbol, "#") {
			version := requirement.Versions()[minor]
			made.Symbols[version] = append(made.Symbols[version], symbol)
		}
	}
	for _, names := range made.Symbols {
		slices.Sort(names)
	}
	return made
}

// firstOf returns, for each symbol, the position of the first text that has it.
func firstOf(texts []string) map[string]int {
	first := map[string]int{}
	for minor, text := range texts {
		_, names := symbols(text)
		for _, name := range names {
			if _, known := first[name]; !known {
				first[name] = minor
			}
		}
	}
	return first
}

// traced returns, for each line of the last text, the position of the oldest text that it can be traced back to.
func traced(texts []string) []int {
	newest := len(texts) - 1
	since := make([]int, strings.Count(texts[newest], "\n")+1)
	now := make(map[int]int, len(since)) // lines of the newest text, and their numbers in an older one
	for i := range since {
		since[i], now[i] = newest, i+1
	}
	for minor := newest - 1; minor >= 0; minor-- {
		before := predecessors(texts[minor], texts[minor+1])
		for i, number := range now {
			if before[number] == 0 {
				delete(now, i)
				continue
			}
			now[i], since[i] = before[number], minor
		}
	}
	return since
}

// predecessors maps the numbers of the newer text's lines to their numbers in the older one.
func predecessors(older, newer string) map[int]int {
	found, elsewhere := map[int]int{}, map[string]int{}
	for i, line := range strings.Split(older, "\n") {
		elsewhere[strings.TrimSpace(line)] = i + 1
	}
	for _, p := range compare(older, newer) {
		switch {
		case p.is.Number == 0:
		case p.was.Number > 0 && slices.Equal(demands(p.was.Text), demands(p.is.Text)):
			found[p.is.Number] = p.was.Number
		case elsewhere[strings.TrimSpace(p.is.Text)] > 0:
			found[p.is.Number] = elsewhere[strings.TrimSpace(p.is.Text)]
		}
	}
	return found
}

// Since returns the version that introduced the requirement: the version of the newest line that it cites, or of the newest
// field of its RPC that its text names.
func (h History) Since(r requirement.Requirement) (string, error) {
	at, err := cited(r)
	if err != nil {
		return "", err
	}
	newest := h.fieldsSince(r)
	for minor, version := range requirement.Versions() {
		introduced := numbers(h.Lines[version])
		if slices.ContainsFunc(at.lines, func(n int) bool { return slices.Contains(introduced, n) }) {
			newest = max(newest, minor)
		}
	}
	return requirement.Versions()[newest], nil
}

var fieldName = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)

// fieldsSince returns the position of the version that introduced the newest of the fields that the requirement's text
// names, in a request or an answer of its RPC; 0 if it names none, or several RPCs.
func (h History) fieldsSince(r requirement.Requirement) int {
	newest := 0
	for _, field := range fieldName.FindAllString(r.Text, -1) {
		for _, message := range []string{r.RPC + "Request.", r.RPC + "Response."} {
			newest = max(newest, slices.Index(requirement.Versions(), h.symbolSince(message+field)))
		}
	}
	return newest
}

// symbolSince returns the version that introduced the symbol, and "" if no version has it.
func (h History) symbolSince(symbol string) string {
	for version, names := range h.Symbols {
		if slices.Contains(names, symbol) {
			return version
		}
	}
	return ""
}
