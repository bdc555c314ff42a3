// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeSaysWhatTheProofSays holds the README's figures against the totals of docs/proof.md.
func TestReadmeSaysWhatTheProofSays(t *testing.T) {
	totals := map[string][]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z:, ]+) \| (\d+) \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(read(t, "../../../docs/proof.md"), -1) {
		totals[row[1]] = row[2:]
	}
	wrong, right := totals["wrong drivers"], totals["right drivers: false alarms"]
	if wrong == nil || right == nil {
		t.Fatalf("docs/proof.md has no totals of wrong and of right drivers: found %v", totals)
	}
	want := fmt.Sprintf("Of %s drivers with one fault each, the spec tier catches %s and csi-sanity catches %s. Of %s correct drivers of unusual shape, the spec tier fails %s and csi-sanity fails %s.",
		wrong[0], wrong[1], wrong[2], right[0], right[1], right[2])
	if !strings.Contains(read(t, "../../../README.md"), want) {
		t.Errorf("the README does not say %q", want)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
