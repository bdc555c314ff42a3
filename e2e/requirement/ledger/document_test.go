// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"strings"
	"testing"
)

func TestDocumentsAreRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		given []Statement
		want  string
	}{
		{"a statement without an account", []Statement{{ID: "1.1"}}, "statement 1.1: want either requirements or a reason"},
		{"an unknown requirement", []Statement{{ID: "1.1", Account: Account{Requirements: []string{"TR-99"}}}}, "statement 1.1: no requirement in the register"},
		{"an id that occurs twice", []Statement{{ID: "1.1", Account: Account{Reason: "why"}}, {ID: "1.1", Account: Account{Reason: "why"}}}, "two statements have the id 1.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := check([]Document{{Statements: c.given}}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
