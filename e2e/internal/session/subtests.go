// SPDX-License-Identifier: Apache-2.0

package session

import (
	"flag"
	"regexp"
	"strings"
)

// chosenSubtests returns a function that reports whether the flags -run and -skip of `go test` select a subtest of the
// test. Package testing only reveals this when the subtest runs, and by then the cases have run.
func chosenSubtests(test string) func(name string) bool {
	value := func(name string) string {
		if found := flag.Lookup(name); found != nil {
			return found.Value.String()
		}
		return ""
	}
	run, skip := patternsOf(value("test.run")), patternsOf(value("test.skip"))
	return func(name string) bool {
		elements := strings.Split(test+"/"+name, "/")
		return run.match(elements, true) && !skip.match(elements, false)
	}
}

// patterns are the alternatives of a flag, each with a pattern for each element of a test's name.
type patterns [][]string

// patternsOf splits a flag at each bar and slash outside of brackets, like package testing.
func patternsOf(text string) patterns {
	if text == "" {
		return nil
	}
	all, depth, class, begin := patterns{nil}, 0, false, 0
	add := func(end int) {
		last := len(all) - 1
		all[last] = append(all[last], text[begin:end])
		begin = end + 1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '/' && depth == 0:
			add(i)
		case c == '|' && depth == 0:
			add(i)
			all = append(all, nil)
		}
	}
	add(len(text))
	return all
}

// match reports whether one of the alternatives matches the elements of a name. An alternative with fewer elements matches
// everything below it. Without alternatives, match returns none.
func (p patterns) match(elements []string, none bool) bool {
	for _, alternative := range p {
		matches := len(alternative) <= len(elements)
		for i, pattern := range alternative[:min(len(alternative), len(elements))] {
			found, err := regexp.MatchString(pattern, elements[i])
			matches = matches && err == nil && found
		}
		if matches {
			return true
		}
	}
	return len(p) == 0 && none
}
