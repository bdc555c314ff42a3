// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Rescheduled requires the history of a claim's selected node, each change once and "" where the
// annotation was removed, to begin on one of the full nodes, to have been removed, and to end
// on a node that is not full. The history begins with the claim, which has no selected node
// yet.
func Rescheduled(history, full []string) error {
	subject := "history of the claim's selected node"
	found := historyText(history)
	wanted := fmt.Sprintf("one of %s, then removed, then another node", strings.Join(full, ", "))
	trimmed := history
	if len(trimmed) > 0 && trimmed[0] == "" {
		trimmed = trimmed[1:]
	}
	if len(trimmed) == 0 {
		return fmt.Errorf("%s is empty: the scheduler has not chosen a node", subject)
	}
	if !slices.Contains(full, trimmed[0]) {
		return mismatch(subject, wanted, found)
	}
	last := trimmed[len(trimmed)-1]
	if !slices.Contains(trimmed, "") || last == "" || slices.Contains(full, last) {
		return mismatch(subject, wanted, found)
	}
	return nil
}

// TakenBack requires the history of a claim's selected node to have a node that was removed again.
func TakenBack(history []string) error {
	chosen := slices.IndexFunc(history, func(node string) bool { return node != "" })
	switch {
	case chosen < 0:
		return errors.New("no node was selected for the claim")
	case !slices.Contains(history[chosen:], ""):
		return mismatch("history of the claim's selected node", "a node, then removed", historyText(history))
	default:
		return nil
	}
}

// NeverSelected requires none of these nodes in the history of a claim's selected node.
func NeverSelected(history, nodes []string) error {
	for _, node := range history {
		if slices.Contains(nodes, node) {
			return finalMismatch("history of the claim's selected node", "none of "+strings.Join(nodes, ", "), historyText(history))
		}
	}
	return nil
}

func historyText(history []string) string {
	steps := make([]string, 0, len(history))
	for _, node := range history {
		if node == "" {
			node = "(none)"
		}
		steps = append(steps, node)
	}
	return strings.Join(steps, " -> ")
}
