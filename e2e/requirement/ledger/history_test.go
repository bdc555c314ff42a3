// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

var fieldOrValue = regexp.MustCompile(`\b(?:[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+)\b`)

// TestRegisterSince checks the version of every requirement against the history of the lines that it cites, and that this
// version has one of its RPCs, and all fields and capabilities that its text names.
func TestRegisterSince(t *testing.T) {
	history, err := RecordedHistory()
	if err != nil {
		t.Fatal(err)
	}
	position := func(version string) int { return slices.Index(requirement.Versions(), version) }
	for _, r := range requirement.All() {
		if !ofClause(r) {
			continue
		}
		if want, err := history.Since(r); err != nil || r.Since != want {
			t.Errorf("%s: since is %s, and what it cites came with %s (%v)", r.ID, r.Since, want, err)
		}
		for _, name := range fieldOrValue.FindAllString(r.Text, -1) {
			if came := firstNamed(history, name); came > position(r.Since) {
				t.Errorf("%s: since is %s, and %s came with 1.%d", r.ID, r.Since, name, came)
			}
		}
		rpcs := strings.Split(r.RPC, ", ")
		if !slices.ContainsFunc(rpcs, func(rpc string) bool { return firstNamed(history, rpc) <= position(r.Since) }) {
			t.Errorf("%s: since is %s, and none of its RPCs was there: %s", r.ID, r.Since, r.RPC)
		}
	}
}

// firstNamed returns the position of the first version with an RPC, a message, a field or a value of the name; -1 if no
// version has it.
func firstNamed(h History, name string) int {
	return slices.IndexFunc(requirement.Versions(), func(version string) bool {
		return slices.ContainsFunc(h.Symbols[version], func(symbol string) bool {
			return symbol == name || symbol == "rpc "+name || strings.HasSuffix(symbol, "."+name)
		})
	})
}

func TestHistoryOf(t *testing.T) {
	texts := []string{
		"# A\nThe plugin MUST stay.\n```protobuf\nmessage M {\n  // A name.\n  // This field is REQUIRED.\n  string name = 1;\n}\n```\n",
		"# A\nThe plugin MUST stay put.\nIt SHOULD speak.\n```protobuf\nmessage M {\n  // A name.\n  // This field is REQUIRED.\n  string name = 1;\n  // A size.\n  // This field is REQUIRED.\n  int64 size = 2;\n}\n```\n",
		"# A\nThe plugin MUST stay put.\nIt MUST speak.\n```protobuf\nmessage M {\n  // A name.\n  // This field is REQUIRED.\n  string name = 1;\n  // A size.\n  // This field is REQUIRED.\n  int64 size = 2;\n}\n```\n",
	}
	got := HistoryOf(texts)
	if got.Lines["1.1"] != "9-11" {
		t.Errorf("want the field size with its comment in 1.1, got lines %s", got.Lines["1.1"])
	}
	if got.Lines["1.2"] != "3" {
		t.Errorf("want the line with another keyword in 1.2, got lines %s", got.Lines["1.2"])
	}
	if !slices.Equal(got.Symbols["1.1"], []string{"M.size"}) {
		t.Errorf("want the field in 1.1, got %v", got.Symbols["1.1"])
	}
}
