// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// at says what is wrong in a line, in the form of the decoder's own errors.
func at(line int, format string, a ...any) string {
	return fmt.Sprintf("line %d: ", max(1, line)) + fmt.Sprintf(format, a...)
}

// lineOf returns the line of the first node that is not nil, and 0 if there is none.
func lineOf(nodes ...*yaml.Node) int {
	for _, node := range nodes {
		if node != nil {
			return node.Line
		}
	}
	return 0
}

// child is the value that a mapping has for the key, nil for none.
func child(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// item is an item of a sequence, nil where there is none: what was merged or
// referred to is elsewhere.
func item(sequence *yaml.Node, i int) *yaml.Node {
	if sequence == nil || sequence.Kind != yaml.SequenceNode || i >= len(sequence.Content) {
		return nil
	}
	return sequence.Content[i]
}
