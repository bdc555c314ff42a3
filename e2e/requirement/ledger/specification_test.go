// SPDX-License-Identifier: Apache-2.0

package ledger

import (
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/requirement"
)

// aSpec is a specification where TR-01 covers a sentence of two lines, GEN-05 one line, and a reason another.
const aSpec = `# A specification
The plugin MUST answer,
and it MUST be quick.

  // This field is REQUIRED.
  string name = 1;
The CO MAY ask.
The operator SHOULD read.`

func register(sources ...string) []requirement.Requirement {
	var rows []requirement.Requirement
	for i, source := range sources {
		rows = append(rows, requirement.Requirement{ID: []string{"TR-01", "TR-02", "K8S-A1"}[i], Source: source})
	}
	return rows
}

func given(groups ...group) accounts { return accounts{Version: "v1.0.0", Groups: groups} }

// generically returns the account for the line of a field, and unasked the account for an unchecked line.
func generically() group {
	return group{Account{Requirements: []string{"GEN-05"}}, map[int]string{5: "This field is…"}}
}

func unasked() group {
	return group{Account{Reason: "it binds the operator"}, map[int]string{8: "The operator SHOULD read."}}
}

func TestSpecificationAccountsForEveryLine(t *testing.T) {
	entries, err := given(generically(), unasked()).specification(aSpec, register("CSI spec.md v1.0.0 lines 2-3", "CSI spec.md v1.0.0 line 3", "Kubernetes"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, strings.Join(append(e.Requirements, e.Reason), " "))
	}
	if want := []string{"TR-01 ", "TR-01 TR-02 ", "GEN-05 ", "it binds the operator"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSpecificationRefuses(t *testing.T) {
	sound := []string{"CSI spec.md v1.0.0 lines 2-3"}
	for _, c := range []struct {
		name    string
		sources []string
		given   accounts
		want    string
	}{
		{"a line without an account", sound, given(generically()),
			`spec.md v1.0.0, line 8 is not accounted for: "The operator SHOULD read.": name it in the source of a requirement`},
		{"a source of another form", []string{"CSI spec.md v1.0.0 line 2, and 3"}, given(generically(), unasked()), `TR-01 has the source "CSI spec.md v1.0.0 line 2, and 3": write it as`},
		{"a source that is an empty line", append(sound, "CSI spec.md v1.0.0 line 4"), given(generically(), unasked()), "TR-02 names line 4 of spec.md, which is empty: correct its source"},
		{"a source beyond the end", append(sound, "CSI spec.md v1.0.0 line 9"), given(generically(), unasked()), "TR-02 names line 9 of spec.md, which is empty"},
		{"a source of an older version", append(sound, "CSI spec.md v0.9.0 line 2"), given(generically(), unasked()),
			"TR-02 is of spec.md v0.9.0, and the ledger of v1.0.0: read the clause again"},
		{"a line that a source names as well", append(sound, "CSI spec.md v1.0.0 line 8"), given(generically(), unasked()), "line 8 of spec.md: the source of TR-02 names it: remove it here"},
		{"two accounts", sound, given(generically(), unasked(), unasked()), "line 8 of spec.md: it has two accounts"},
		{"a line without a keyword", sound, given(generically(), unasked(), group{Account{Reason: "why"}, map[int]string{7: "The CO MAY ask."}}), "line 7 of spec.md: it has no keyword"},
		{"a line that is elsewhere", sound, given(generically(), group{Account{Reason: "why"}, map[int]string{8: "The operator MUST"}}),
			`line 8 of spec.md: it does not begin with "The operator MUST", but with "The operator SHOULD read.": correct the number`},
		{"a line beyond the end", sound, given(generically(), unasked(), group{Account{Reason: "why"}, map[int]string{9: "The"}}), "line 9 of spec.md: the line does not exist"},
		{"an unknown requirement", sound, given(unasked(), group{Account{Requirements: []string{"TR-99"}}, map[int]string{5: "This"}}), "account 2: no requirement in the register"},
		{"requirements and a reason", sound, given(unasked(), group{Account{Requirements: []string{"GEN-05"}, Reason: "why"}, map[int]string{5: "This"}}), "want either requirements or a reason"},
		{"an account of no line", sound, given(generically(), unasked(), group{Account: Account{Reason: "why"}}), `the reason "why" is of no line: remove it`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.given.specification(aSpec, register(c.sources...))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestDemanding(t *testing.T) {
	for text, want := range map[string]bool{
		"it MUST NOT be": true, "SHALL": true, "`REQUIRED`": true, "NOT RECOMMENDED": true, "they SHOULD,": true,
		"it MAY be": false, "it must be": false, "OPTIONAL": false, "MUSTARD": false,
	} {
		if got := len(Demanding(text)) == 1; got != want {
			t.Errorf("%q demands something: got %t", text, got)
		}
	}
}

func TestStanding(t *testing.T) {
	cases := requirement.Coverage{"TR-01": {"a"}}
	for _, c := range []struct {
		given Account
		want  Standing
	}{
		{Account{Requirements: []string{"TR-01"}}, Verified},
		{Account{Requirements: []string{"TR-01", "TR-02"}}, InPart},
		{Account{Requirements: []string{"TR-02"}}, Without},
		{Account{Reason: "why"}, Unchecked},
	} {
		if got := c.given.Standing(cases); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.given, got, c.want)
		}
	}
}
