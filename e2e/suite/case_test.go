// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMeetSkipsByTheFirstDecider(t *testing.T) {
	lacks := func(by DecidedBy, what string) []Need[string] {
		return []Need[string]{{By: by, Missing: func(context.Context, string) string { return what }}}
	}
	for _, c := range []struct {
		name  string
		given []Need[string]
		want  Mark
	}{
		{name: "no need"},
		{name: "nothing is missing", given: Needs(lacks(ByProfile, ""), alone())},
		{"what the driver does not claim comes first", Needs(lacks(ByEnvironment, "zones"), lacks(ByProfile, "block"), lacks(ByCapability, "snapshots")),
			Mark{DecidedBy: ByCapability, Message: "snapshots"}},
		{"what the profile declares away comes before the environment", Needs(lacks(ByEnvironment, "zones"), lacks(ByCapability, ""), lacks(ByProfile, "block")),
			Mark{DecidedBy: ByProfile, Message: "block"}},
		{"what was not asked for comes before all", Needs(lacks(ByCapability, "snapshots"), lacks(ByFilter, "disruption")),
			Mark{DecidedBy: ByFilter, Message: "disruption"}},
		{"of the same decider, the first", Needs(lacks(ByEnvironment, "zones"), lacks(ByEnvironment, "root")), Mark{DecidedBy: ByEnvironment, Message: "zones"}},
		{"a sentence is no format", lacks(ByEnvironment, "100% full"), Mark{DecidedBy: ByEnvironment, Message: "100% full"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var o Outcome
			o.Run(func() { Case[string]{Needs: c.given}.Meet(t.Context(), "") })
			var got Mark
			if o.End != nil {
				got = *o.End
			}
			if c.want.Message != "" {
				c.want.Verdict = Skipped
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("ended with (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLabelsOfACase(t *testing.T) {
	c := Case[string]{ID: "T-1", Requirements: []string{"TR-06", "TR-07"}, Labels: []string{"smoke"},
		Needs: []Need[string]{{Label: "root"}, {}, {Label: "root"}, {Alone: true}}}
	want := []string{"case:T-1", "req:TR-06", "req:TR-07", "needs:root", "needs:alone", "smoke"}
	if diff := cmp.Diff(want, c.AllLabels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	listed := List([]Area[string]{{Name: "placement", Cases: []Case[string]{c}}})[0]
	if got := strings.Join(append(listed.Requirements, listed.Needs...), " "); got != "TR-06 TR-07 root alone" {
		t.Errorf("want the requirements and needs in the list, got %s", got)
	}
}

func TestCheckIDs(t *testing.T) {
	cases := sample()
	if err := CheckIDs(cases); err != nil {
		t.Error(err)
	}
	err := CheckIDs(append(cases, NewListed("T-EQ-2", "identity", "answers", nil)))
	if err == nil || !strings.Contains(err.Error(), "T-EQ-2") || !strings.Contains(err.Error(), "requisite, x = n") || !strings.Contains(err.Error(), "identity") {
		t.Errorf("want the id and both areas, got %v", err)
	}
}
