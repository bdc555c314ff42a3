// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// run runs the command and returns its output.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	command := newCommand()
	command.SetArgs(args)
	command.SetOut(&out)
	err := command.ExecuteContext(t.Context())
	return out.String(), err
}

// TestRegisterLedger checks the ledger. `make test-register` runs it, like all tests of the register.
func TestRegisterLedger(t *testing.T) {
	out, err := run(t)
	if err != nil {
		t.Error(err)
	}
	t.Log(out)
}

// TestRegisterLedgerPage checks that the page has a row for each counted line and statement, and links to the page of
// requirements next to it.
func TestRegisterLedgerPage(t *testing.T) {
	out, err := run(t, "--markdown")
	if err != nil {
		t.Fatal(err)
	}
	lines, statements := strings.Count(out, "\n| ["), strings.Count(out, "](requirements.md")
	if counted := regexp.MustCompile(`\| lines of the CSI specification \S+ \| (\d+) \|`).FindStringSubmatch(out); counted == nil || counted[1] != strconv.Itoa(lines) || statements == 0 {
		t.Errorf("the page has %d lines of the specification and %d links to requirements, and counts %q", lines, statements, counted)
	}
}

// TestRegisterLedgerOfANewerSpecification compares with a specification in which one demand is new, one has changed,
// and one is gone.
func TestRegisterLedgerOfANewerSpecification(t *testing.T) {
	now, err := newerSpecification(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	newer := now.text
	for _, change := range [][2]string{
		{"\n## Protocol\n", "\n## Protocol\n\nA plugin MUST be kind.\n"},
		{"* Plugins SHOULD generate log messages", "* Plugins SHALL generate log messages"},
		{"// Keys MUST be case-insensitive. Meaning the keys \"Zone\" and \"zone\"\n", ""},
	} {
		if strings.Count(newer, change[0]) != 1 {
			t.Fatalf("the specification does not have %q once: change another line", change[0])
		}
		newer = strings.Replace(newer, change[0], change[1], 1)
	}
	file := filepath.Join(t.TempDir(), "spec.md")
	if err := os.WriteFile(file, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}

	_, err = run(t, "--spec", file)

	if err == nil {
		t.Fatal("nothing is to be done for a newer specification")
	}
	sentences := strings.Split(strings.ReplaceAll(err.Error(), file, "NEWER"), "\n")
	want := []string{
		`line 1275 of spec.md v1.13.0 is gone from NEWER: it was "Keys MUST be case-insensitive. Meaning the keys "Zone" and "zone"": correct or remove TO-07`,
		`line 3835 of spec.md NEWER is new: "A plugin MUST be kind.": add a requirement to the register whose source names it, or give its requirements or a reason in e2e/requirement/ledger/spec.yaml`,
		`line 3924 of spec.md NEWER, which was line 3923 of v1.13.0, has changed: it was "Plugins SHOULD generate log messages to ONLY standard output and/or standard error.", ` +
			`and is "Plugins SHALL generate log messages to ONLY standard output and/or standard error.": read it again, and correct what e2e/requirement/ledger/spec.yaml has for it`,
	}
	if diff := cmp.Diff(want, sentences[1:]); diff != "" {
		t.Errorf("what is to be done (-want +got):\n%s", diff)
	}
}
