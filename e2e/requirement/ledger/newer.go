// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// Newer returns the required actions for a newer version of the specification, one sentence each, in the order of its
// lines: for a new line with a keyword, and for a changed or removed line that a requirement or spec.yaml accounts for.
// text is the specification of Version.
func Newer(text, newerVersion, newer string) ([]string, error) {
	read, err := recorded()
	if err != nil {
		return nil, err
	}
	return read.newer(text, newerVersion, newer, requirement.All()), nil
}

func (a accounts) newer(text, newerVersion, newer string, register []requirement.Requirement) []string {
	by := a.accountants(text, register)
	var sentences []string
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	for _, p := range compare(text, newer) {
		old := by[p.was.Number]
		switch {
		case p.moved():
		case p.was.Number > 0 && p.is.Number > 0 && old != "":
			was, is := quotedBeside(p.was, p.is)
			say("line %d of spec.md %s, which was line %d of %s, has changed: it was %s, and is %s: read it again, and correct %s",
				p.is.Number, newerVersion, p.was.Number, a.Version, was, is, old)
		case p.is.Number == 0 && old != "":
			say("line %d of spec.md %s is gone from %s: it was %s: correct or remove %s", p.was.Number, a.Version, newerVersion, p.was.quoted(), old)
		case p.is.Number > 0 && keyword.MatchString(p.is.Text):
			say("line %d of spec.md %s is new: %s: add a requirement to the register whose source names it, or give its requirements or a reason in %s",
				p.is.Number, newerVersion, p.is.quoted(), specPath)
		}
	}
	return sentences
}

// accountants returns the accounting of each line, by number: requirement ids, or the file with the reason.
func (a accounts) accountants(text string, register []requirement.Requirement) map[int]string {
	lines := strings.Split(text, "\n")
	holding, _ := a.citing(lines, register) // Specification reports the problems
	by := map[int]string{}
	for _, g := range a.Groups {
		for n := range g.Lines {
			by[n] = "what " + specPath + " has for it"
		}
	}
	for n, ids := range holding {
		by[n] = strings.Join(ids, ", ")
	}
	return by
}

// Moves holds the lines of one version of the specification that are also in another, and their numbers there.
type Moves struct {
	from, to string
	now      map[int]int
}

// Moved compares two versions of the specification.
func Moved(version, text, newerVersion, newer string) Moves {
	moves := Moves{version, newerVersion, map[int]int{}}
	for _, p := range compare(text, newer) {
		if p.moved() {
			moves.now[p.was.Number] = p.is.Number
		}
	}
	return moves
}

// Register returns a file of the register with the line numbers of the newer version. A requirement with a changed or
// removed line keeps its source, and Specification then reports it.
func (m Moves) Register(file string) string {
	return source.ReplaceAllStringFunc(file, func(cited string) string {
		parts := source.FindStringSubmatch(cited)
		var moved []int
		for _, n := range numbers(parts[2]) {
			if m.now[n] == 0 || parts[1] != m.from {
				return cited
			}
			moved = append(moved, m.now[n])
		}
		return "CSI spec.md " + m.to + " " + list(moved)
	})
}

// numberedLine is a line of spec.yaml that accounts for a line of the specification.
var numberedLine = regexp.MustCompile(`(?m)^( +)([0-9]+)(: .*\n)`)

// Accounts returns spec.yaml with the line numbers of the newer version, and without changed or removed lines.
func (m Moves) Accounts(file string) string {
	file = strings.Replace(file, "\nversion: "+m.from+"\n", "\nversion: "+m.to+"\n", 1)
	return numberedLine.ReplaceAllStringFunc(file, func(line string) string {
		parts := numberedLine.FindStringSubmatch(line)
		was, _ := strconv.Atoi(parts[2]) // digits, by numberedLine
		if m.now[was] == 0 {
			return ""
		}
		return parts[1] + strconv.Itoa(m.now[was]) + parts[3]
	})
}

// list returns the numbers in the form of a source, such as lines 12-14, 16. It is the inverse of numbers.
func list(all []int) string {
	if len(all) == 1 {
		return "line " + strconv.Itoa(all[0])
	}
	var parts []string
	for i := 0; i < len(all); {
		last := i
		for last+1 < len(all) && all[last+1] == all[last]+1 {
			last++
		}
		part := strconv.Itoa(all[i])
		if last > i {
			part += "-" + strconv.Itoa(all[last])
		}
		parts = append(parts, part)
		i = last + 1
	}
	return "lines " + strings.Join(parts, ", ")
}
