// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// nowhere returns a topology with the segment's keys that no node reports.
func nowhere(segment model.Segment) model.Segment {
	return withValues(segment, "csi-topo-nowhere")
}

// withValues returns the segment with that value for each key.
func withValues(segment model.Segment, value string) model.Segment {
	changed := maps.Clone(segment)
	for key := range changed {
		changed[key] = value
	}
	return changed
}

// withUnknownKey returns the segment with one more key, which has the prefix of the others.
func withUnknownKey(segment model.Segment) model.Segment {
	name := "csi-topo-unknown"
	if prefixes := (model.Set{segment}).Prefixes(); len(prefixes) > 0 {
		name = prefixes[0] + "/" + name
	}
	changed := maps.Clone(segment)
	changed[name] = "csi-topo"
	return changed
}

// narrowest returns the key of the segment, with its value, that the fewest other segments have, and widest the key
// that most others have; the first of several.
func narrowest(segment model.Segment, others model.Set) model.Segment {
	return slices.MinFunc(singles(segment), byMatches(others))
}

func widest(segment model.Segment, others model.Set) model.Segment {
	return slices.MaxFunc(singles(segment), byMatches(others))
}

// singles returns a topology for each key of the segment, in the order of the keys.
func singles(segment model.Segment) []model.Segment {
	var found []model.Segment
	for _, key := range slices.Sorted(maps.Keys(segment)) {
		found = append(found, model.Segment{key: segment[key]})
	}
	return found
}

func byMatches(segments model.Set) func(a, b model.Segment) int {
	matches := func(term model.Segment) (count int) {
		for _, segment := range segments {
			if segment.Matches(term) {
				count++
			}
		}
		return count
	}
	return func(a, b model.Segment) int { return matches(a) - matches(b) }
}

// keysInOtherCase returns the segment with the names of its keys in another case; prefixes are lower case.
func keysInOtherCase(segment model.Segment) model.Segment {
	changed := model.Segment{}
	for key, value := range segment {
		prefix, name, prefixed := strings.Cut(key, "/")
		if prefixed {
			changed[prefix+"/"+inOtherCase(name)] = value
		} else {
			changed[inOtherCase(key)] = value
		}
	}
	return changed
}

// valuesInOtherCase returns the segment with its values in another case.
func valuesInOtherCase(segment model.Segment) model.Segment {
	changed := model.Segment{}
	for key, value := range segment {
		changed[key] = inOtherCase(value)
	}
	return changed
}

func inOtherCase(text string) string {
	return strings.Map(func(letter rune) rune {
		if unicode.IsUpper(letter) {
			return unicode.ToLower(letter)
		}
		return unicode.ToUpper(letter)
	}, text)
}
