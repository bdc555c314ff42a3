// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// specPath is the file in which people account for lines.
const specPath = "e2e/requirement/ledger/spec.yaml"

// Entry is a line of the specification with a keyword, and its account.
type Entry struct {
	Line
	Account
}

// Specification returns the account of each line of the specification with a keyword. text is the specification of Version.
// The error has a sentence for each line that is not accounted for, and for each account or source that does not match the
// text.
func Specification(text string) ([]Entry, error) {
	read, err := recorded()
	if err != nil {
		return nil, err
	}
	return read.specification(text, requirement.All())
}

func (a accounts) specification(text string, register []requirement.Requirement) ([]Entry, error) {
	lines := strings.Split(text, "\n")
	holding, problems := a.citing(lines, register)
	given, more := a.given(lines, holding)
	problems = append(problems, more...)
	var entries []Entry
	for _, line := range Demanding(text) {
		account, found := given[line.Number]
		if ids := holding[line.Number]; len(ids) > 0 {
			account, found = Account{Requirements: ids}, true
		}
		if !found {
			problems = append(problems, fmt.Errorf("spec.md %s, line %d is not accounted for: %s: name it in the source of a requirement (e2e/requirement/register), or give its requirements or a reason in %s",
				a.Version, line.Number, line.quoted(), specPath))
		}
		entries = append(entries, Entry{line, account})
	}
	return entries, errors.Join(problems...)
}

// citing returns the ids of the requirements with a line in their source, by the line's number.
func (a accounts) citing(lines []string, register []requirement.Requirement) (map[int][]string, []error) {
	holding := map[int][]string{}
	var problems []error
	for _, r := range register {
		if !ofClause(r) {
			continue
		}
		at, err := cited(r)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if at.version != a.Version {
			problems = append(problems, fmt.Errorf("%s is of spec.md %s, and the ledger of %s: read the clause again, and correct its text and source", r.ID, at.version, a.Version))
			continue
		}
		for _, n := range at.lines {
			if n < 1 || n > len(lines) || (Line{n, lines[n-1]}).Says() == "" {
				problems = append(problems, fmt.Errorf("%s names line %d of spec.md, which is empty: correct its source", r.ID, n))
				continue
			}
			holding[n] = append(holding[n], r.ID)
		}
	}
	return holding, problems
}

// given returns the accounts of spec.yaml by line, without the lines in a requirement's source.
func (a accounts) given(lines []string, holding map[int][]string) (map[int]Account, []error) {
	given := map[int]Account{}
	var problems []error
	wrong := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%s, line %d of spec.md: %s", specPath, line, fmt.Sprintf(format, args...)))
	}
	for i, g := range a.Groups {
		if err := g.check(); err != nil {
			problems = append(problems, fmt.Errorf("%s, account %d: %w", specPath, i+1, err))
		}
		if len(g.Lines) == 0 {
			problems = append(problems, fmt.Errorf("%s: the reason %q is of no line: remove it", specPath, g.Reason))
		}
		for _, n := range sortedKeys(g.Lines) {
			_, twice := given[n]
			switch {
			case n < 1 || n > len(lines):
				wrong(n, "the line does not exist: remove it")
			case !keyword.MatchString(lines[n-1]):
				wrong(n, "it has no keyword: remove it")
			case !strings.HasPrefix(Line{n, lines[n-1]}.Says(), strings.TrimSuffix(g.Lines[n], "…")):
				wrong(n, "it does not begin with %q, but with %s: correct the number", g.Lines[n], Line{n, lines[n-1]}.quoted())
			case twice:
				wrong(n, "it has two accounts: remove one of them")
			case len(holding[n]) > 0:
				wrong(n, "the source of %s names it: remove it here", strings.Join(holding[n], ", "))
			default:
				given[n] = g.Account
			}
		}
	}
	return given, problems
}

func sortedKeys[K cmp.Ordered, V any](of map[K]V) []K {
	keys := make([]K, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
