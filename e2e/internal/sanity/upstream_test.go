// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// TestUpstreamDraftListsEachAssertion compares the table in the draft for csi-test with the code.
func TestUpstreamDraftListsEachAssertion(t *testing.T) {
	const path = "../../../docs/upstream/csi-sanity-beyond-the-specification.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, found, _ := strings.Cut(string(text), "## The assertions\n\n")
	if want := draftTable(); found != want {
		t.Errorf("want this table below \"The assertions\" in %s:\n\n%s", path, want)
	}
}

// draftTable returns the assertions as a table in Markdown.
func draftTable() string {
	var table strings.Builder
	table.WriteString("| in csi-sanity | refuses | but | spec.md |\n| --- | --- | --- | --: |\n")
	for _, a := range stricter {
		names := make([]string, len(a.codes))
		for i, code := range a.codes {
			names[i] = model.CodeName(code)
		}
		fmt.Fprintf(&table, "| %s, \"%s\" | %s: %s | %s | %d |\n", a.in, a.text, a.rpc, strings.Join(names, ", "), a.because, a.line)
	}
	return table.String()
}
