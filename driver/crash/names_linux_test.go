// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Ids and times differ in every run.
var (
	idPattern   = regexp.MustCompile(`(image|dir|group)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	timePattern = regexp.MustCompile(`"creationTime":"([^"]+)"`)
)

// renamed returns the lines in a form and an order that are the same in every run: an id becomes its name in the test, if
// it has one, and any other id and each time become numbers in the order of creation.
func renamed(lines []string, names map[string]string) []string {
	all := strings.Join(lines, "\n")
	var unknown, times []string
	for _, id := range idPattern.FindAllString(all, -1) {
		if names[id] == "" {
			unknown = append(unknown, id)
		}
	}
	for _, found := range timePattern.FindAllStringSubmatch(all, -1) {
		times = append(times, found[1])
	}
	var replaced []string
	for id, name := range names {
		replaced = append(replaced, id, name)
	}
	replaced = append(replaced, numbered("new", unknown)...)
	replaced = append(replaced, numbered("time", times)...)
	result := strings.Split(strings.NewReplacer(replaced...).Replace(all), "\n")
	slices.Sort(result)
	return result
}

// numbered returns the arguments of strings.NewReplacer that number the texts in sorted order, which for ids of this
// driver, as for times, is the order of creation.
func numbered(name string, texts []string) []string {
	slices.Sort(texts)
	var replaced []string
	for n, text := range slices.Compact(texts) {
		replaced = append(replaced, text, fmt.Sprintf("<%s %d>", name, n+1))
	}
	return replaced
}
