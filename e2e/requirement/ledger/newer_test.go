// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"slices"
	"strings"
	"testing"
)

// aNewerSpec has one new and one changed demand, and lacks the demand on the operator.
const aNewerSpec = `# A specification
The CO SHALL wait.

The plugin MUST answer,
and it MUST NOT be quick.

  // This field is REQUIRED.
  string name = 1;
The CO MAY ask.`

func TestNewer(t *testing.T) {
	rows := register("CSI spec.md v1.0.0 lines 2-3")
	got := given(generically(), unasked()).newer(aSpec, "v1.1.0", aNewerSpec, rows)
	want := []string{
		`line 2 of spec.md v1.1.0 is new: "The CO SHALL wait.": add a requirement to the register whose source names it, or give its requirements or a reason in e2e/requirement/ledger/spec.yaml`,
		`line 5 of spec.md v1.1.0, which was line 3 of v1.0.0, has changed: it was "and it MUST be quick.", and is "and it MUST NOT be quick.": read it again, and correct TR-01`,
		`line 8 of spec.md v1.0.0 is gone from v1.1.0: it was "The operator SHOULD read.": correct or remove what e2e/requirement/ledger/spec.yaml has for it`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := given(generically(), unasked()).newer(aSpec, "v1.1.0", "preface\n"+aSpec, rows); len(got) > 0 {
		t.Errorf("lines that only moved: got %q, want nothing to do", got)
	}
}

func TestMoves(t *testing.T) {
	moves := Moved("v1.0.0", aSpec, "v1.1.0", aNewerSpec)
	for _, c := range []struct{ name, given, want string }{
		{"a line that moved", "  source: CSI spec.md v1.0.0 line 2\n", "  source: CSI spec.md v1.1.0 line 4\n"},
		{"lines that moved", "  source: CSI spec.md v1.0.0 lines 5-7, 2\n", "  source: CSI spec.md v1.1.0 lines 7-9, 4\n"},
		{"a line that changed", "  source: CSI spec.md v1.0.0 lines 2-3\n", "  source: CSI spec.md v1.0.0 lines 2-3\n"},
		{"an older source", "  source: CSI spec.md v0.9.0 line 2\n", "  source: CSI spec.md v0.9.0 line 2\n"},
		{"no number", "  source: CSI spec.md v1.0.0 Topology\n", "  source: CSI spec.md v1.0.0 Topology\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := moves.Register(c.given); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	given := "# A comment\nversion: v1.0.0\naccounts:\n- reason: why\n  lines:\n    5: 'This'\n    8: 'The'\n"
	want := "# A comment\nversion: v1.1.0\naccounts:\n- reason: why\n  lines:\n    7: 'This'\n"
	if got := moves.Accounts(given); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
