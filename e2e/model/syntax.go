// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// longest is the maximum number of characters of a key's prefix, a key's name and a value.
const longest = 63

var (
	word  = regexp.MustCompile(`^[a-zA-Z0-9]([-_.a-zA-Z0-9]*[a-zA-Z0-9])?$`)
	label = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
)

// BrokenKeys returns the rules on keys that the segment breaks, in the order of its
// keys.
func (s Segment) BrokenKeys() []Reason {
	var broken []Reason
	seen := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		broken = append(broken, brokenKey(key)...)
		if other, found := seen[strings.ToLower(key)]; found {
			broken = append(broken, Reason{"TO-08", fmt.Sprintf("keys are case-insensitive: %q and %q must not both exist", other, key)})
		}
		seen[strings.ToLower(key)] = key
	}
	return broken
}

func brokenKey(key string) []Reason {
	var broken []Reason
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		prefix, name = "", key
	}
	if name == "" {
		broken = append(broken, Reason{"TO-02", fmt.Sprintf("the key %q has no name, which is required", key)})
	} else if len(name) > longest || !word.MatchString(name) {
		broken = append(broken, Reason{"TO-03", fmt.Sprintf(
			"the name %q of a key has at most %d characters, letters and digits at its ends, and nothing but these and - _ . between", name, longest)})
	}
	if prefixed && !isPrefix(prefix) {
		broken = append(broken, Reason{"TO-04", fmt.Sprintf("the prefix %q of a key is a domain name in lower case of at most %d characters", prefix, longest)})
	}
	return broken
}

func isPrefix(prefix string) bool {
	labels := strings.Split(prefix, ".")
	return len(prefix) <= longest && !slices.ContainsFunc(labels, func(part string) bool { return !label.MatchString(part) })
}

// BrokenValues returns the rules on values that the segment breaks, in the order of its
// keys.
func (s Segment) BrokenValues() []Reason {
	var broken []Reason
	for _, key := range slices.Sorted(maps.Keys(s)) {
		switch value := s[key]; {
		case value == "":
			broken = append(broken, Reason{"TO-09", fmt.Sprintf("the value of %q is empty", key)})
		case len(value) > longest || !word.MatchString(value):
			broken = append(broken, Reason{"TO-10", fmt.Sprintf(
				"the value %q of %q has at most %d characters, letters and digits at its ends, and nothing but these and - _ . between", value, key, longest)})
		}
	}
	return broken
}

// Prefixes returns the prefixes of the keys, each once, in their order; a key without a
// prefix has none.
func (s Set) Prefixes() []string {
	var found []string
	for _, segment := range s {
		for key := range segment {
			if prefix, _, prefixed := strings.Cut(key, "/"); prefixed && !slices.Contains(found, prefix) {
				found = append(found, prefix)
			}
		}
	}
	slices.Sort(found)
	return found
}
