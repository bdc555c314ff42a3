package placement

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// nowhere is a topology of the segment's keys that no node reports.
func nowhere(segment model.Segment) model.Segment {
	return withValues(segment, "csi-topo-nowhere")
}

// withValues has the segment's keys, each with that value.
func withValues(segment model.Segment, value string) model.Segment {
	changed := maps.Clone(segment)
	for key := range changed {
		changed[key] = value
	}
	return changed
}

// withUnknownKey is the segment with one more key, of the prefix that its own have.
func withUnknownKey(segment model.Segment) model.Segment {
	name := "csi-topo-unknown"
	if prefixes := (model.Set{segment}).Prefixes(); len(prefixes) > 0 {
		name = prefixes[0] + "/" + name
	}
	changed := maps.Clone(segment)
	changed[name] = "csi-topo"
	return changed
}

// narrowest is the one key of the segment, with its value, that the fewest others have, and widest the one that the most
// have; of equals it is the first key.
func narrowest(segment model.Segment, others model.Set) model.Segment {
	return slices.MinFunc(singles(segment), byMatches(others))
}

func widest(segment model.Segment, others model.Set) model.Segment {
	return slices.MaxFunc(singles(segment), byMatches(others))
}

// singles are the topologies of one key each that the segment has, in the order of the keys.
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

// keysInOtherCase has the names of the segment's keys in another letter case; a prefix has to be in lower case.
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

// valuesInOtherCase has the segment's values in another letter case.
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
