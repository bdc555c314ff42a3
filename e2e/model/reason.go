// SPDX-License-Identifier: Apache-2.0

package model

import "strings"

// Reason is a clause of the register, applied to one answer.
type Reason struct {
	// Clause is the id in the register.
	Clause string
	// Text states the demand of the clause here.
	Text string
}

// String returns the text, with the clause in parentheses.
func (r Reason) String() string {
	return r.Text + " (" + r.Clause + ")"
}

func join(reasons []Reason) string {
	texts := make([]string, 0, len(reasons))
	for _, r := range reasons {
		texts = append(texts, r.String())
	}
	return strings.Join(texts, "; ")
}
