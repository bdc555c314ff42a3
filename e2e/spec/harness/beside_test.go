// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestManyCasesWithOneAnswerAreDoubted(t *testing.T) {
	results := func(verdict suite.Verdict, n int, code string) []suite.Result {
		var all []suite.Result
		for i := range n {
			r := suite.Result{Verdict: verdict, Message: fmt.Sprintf("no volume\ngot: %s: \"volume %d\"", code, i)}
			r.ID = fmt.Sprintf("%s-%d", code, i)
			all = append(all, r)
		}
		return all
	}
	for _, c := range []struct {
		name   string
		beside []suite.Result
		want   string
	}{
		{"none", nil, ""},
		{"a few", results(suite.Failed, many-1, "INTERNAL"), ""},
		{"many", append(results(suite.Failed, 2, "NOT_FOUND"), results(suite.Errored, many, "INTERNAL")...), "INTERNAL-0"},
		{"many that only warn", results(suite.Warned, many, "INTERNAL"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := new(doubt).Doubted(c.beside); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	for _, verdict := range []suite.Verdict{suite.Passed, suite.Warned, suite.Failed, suite.Errored} {
		d := doubt{}
		d.Doubted(results(suite.Failed, many, "INTERNAL"))
		d.Alone(suite.Result{Verdict: verdict})
		bears := verdict == suite.Failed || verdict == suite.Errored
		if said := strings.Contains(d.found, "--parallel 1"); said == bears {
			t.Errorf("%s alone: got %q", verdict, d.found)
		}
	}
}
