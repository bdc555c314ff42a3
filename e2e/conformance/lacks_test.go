// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
)

func TestExplain(t *testing.T) {
	fake := report.Backend{Kind: "fake", Lacks: []string{"no-growth"}}
	for _, c := range []struct {
		name      string
		given     report.Profile
		backend   report.Backend
		want      report.Outcome
		explained []string
	}{
		{"all failures", report.Profile{Outcome: report.Failure, Failed: []string{"NE-01", "NE-27"}}, fake, Explained, []string{"NE-01", "NE-27"}},
		{"all failures, and what is open", report.Profile{Outcome: report.Failure, Failed: []string{"NE-01"}, Open: []string{"NE-02"}}, fake, Explained, []string{"NE-01"}},
		{"some of the failures", report.Profile{Outcome: report.Failure, Failed: []string{"CE-13", "NE-01"}}, fake, report.Failure, []string{"NE-01"}},
		{"a failure of something else", report.Profile{Outcome: report.Failure, Failed: []string{"NS-20"}}, fake, report.Failure, nil},
		{"of the real back end", report.Profile{Outcome: report.Failure, Failed: []string{"NE-01"}}, report.Backend{}, report.Failure, nil},
		{"what is open", report.Profile{Outcome: report.Partial, Open: []string{"NE-01"}}, fake, report.Partial, nil},
		{"no failure", report.Profile{Outcome: report.Success, Held: []string{"NE-01"}}, fake, report.Success, nil},
	} {
		if got, explained := Explain(c.given, c.backend); got != c.want || !slices.Equal(explained, c.explained) {
			t.Errorf("%s: want %s, %v, got %s, %v", c.name, c.want, c.explained, got, explained)
		}
	}
}

func TestCheckBackend(t *testing.T) {
	for _, c := range []struct {
		name  string
		given report.Backend
		want  string // part of the error; empty for none
	}{
		{"the real one", report.Backend{}, ""},
		{"directories", report.Backend{Kind: "directories"}, ""},
		{"a fake", report.Backend{Kind: "fake", Lacks: []string{"no-mounts", "no-growth"}}, ""},
		{"an unknown kind", report.Backend{Kind: "mock"}, `kind is "mock"`},
		{"an unknown lack", report.Backend{Kind: "fake", Lacks: []string{"no-grwth"}}, `lacks has "no-grwth"`},
		{"a lack of the real one", report.Backend{Lacks: []string{"no-growth"}}, "kind is missing"},
	} {
		err := CheckBackend(c.given)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", c.name, c.want, err)
		}
	}
}

// TestLacksExplainNothingOfTheCore checks that no lack explains a failure of the core profile: the location of volumes is
// the driver's own answer.
func TestLacksExplainNothingOfTheCore(t *testing.T) {
	for _, l := range Lacks() {
		for _, p := range requirement.Profiles() {
			for _, id := range l.Requirements {
				if p.Core && slices.Contains(p.All(), id) {
					t.Errorf("%s explains %s, which counts for the core profile", l.ID, id)
				}
			}
		}
	}
}

func TestBrokenLacks(t *testing.T) {
	for _, given := range []string{
		"- {id: a, text: b, requirements: [XX-01]}", "- {id: a, text: b, requirements: [NS-14]}", "- {id: a, requirements: [NE-01]}", "- {text: b}",
		"- {id: a, text: b, requirements: [NE-01]}\n- {id: a, text: c, requirements: [NE-02]}", "- {id: a, text: b, requirements: [NE-01], cases: [x]}",
	} {
		if _, err := parseLacks([]byte(given)); err == nil {
			t.Errorf("%s: want an error", given)
		}
	}
}
