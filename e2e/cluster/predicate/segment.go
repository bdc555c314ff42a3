// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Segment is a topology: the keys and values of the driver and of node labels.
type Segment = map[string]string

// Matches reports whether a node with these labels is in the segment: every key and value
// of the segment is among the labels.
func Matches(segment, labels Segment) bool {
	for key, value := range segment {
		if found, ok := labels[key]; !ok || found != value {
			return false
		}
	}
	return true
}

// Canonical writes a segment with its keys in order, so that equal segments have equal text.
func Canonical(segment Segment) string {
	pairs := make([]string, 0, len(segment))
	for _, key := range slices.Sorted(maps.Keys(segment)) {
		pairs = append(pairs, key+"="+segment[key])
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// canonicalSet writes segments in order, with duplicates.
func canonicalSet(segments []Segment) string {
	names := make([]string, 0, len(segments))
	for _, segment := range segments {
		names = append(names, Canonical(segment))
	}
	slices.Sort(names)
	return fmt.Sprintf("%d: %s", len(names), strings.Join(names, " or "))
}
