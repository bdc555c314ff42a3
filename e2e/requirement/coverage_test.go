// SPDX-License-Identifier: Apache-2.0

package requirement

import (
	"fmt"
	"strings"
	"testing"
)

func TestCoverageCheck(t *testing.T) {
	for _, c := range []struct {
		name     string
		register []Requirement
		covered  Coverage
		want     string
	}{
		{"a case for each", []Requirement{{ID: "TR-01"}, {ID: "TR-02"}}, Coverage{"TR-01": {"a"}, "TR-02": {"a"}}, ""},
		{"a reason instead", []Requirement{{ID: "TR-01", Uncovered: "why"}, {ID: "TR-02", Untestable: "why"}}, nil, ""},
		{"neither", []Requirement{{ID: "TR-01", Text: "the text"}}, nil, "TR-01 has no case, and no reason why: the text"},
		{"both", []Requirement{{ID: "TR-01", Uncovered: "why"}}, Coverage{"TR-01": {"a"}}, "TR-01 is called uncovered, and case a verifies it"},
		{"a case for what is untestable", []Requirement{{ID: "TR-01", Untestable: "why"}}, Coverage{"TR-01": {"a"}}, "TR-01 is called untestable, and case a verifies it"},
		{"a case for nothing", nil, Coverage{"TR-99": {"a"}}, "case a verifies TR-99, which the register does not hold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.covered.check(c.register)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("check = %v, want %q", err, c.want)
			}
		})
	}
}

func TestCoverageAdd(t *testing.T) {
	c := Coverage{}
	c.Add("a", "TR-01", "TR-02")
	c.Add("a", "TR-01")
	c.Add("b", "TR-01")
	if got := fmt.Sprint(c); got != "map[TR-01:[a b] TR-02:[a]]" {
		t.Errorf("got %s", got)
	}
}
