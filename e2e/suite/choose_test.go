// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample returns cases of the kinds that both tiers have.
func sample() []Listed {
	return []Listed{
		NewListed("T-EQ-1", "requisite, x = n", "chooses the segment", []string{"req:TR-07"}),
		NewListed("T-EQ-2", "requisite, x = n", "chooses both segments", []string{"req:TR-09", "needs:exhaustion"}),
		NewListed("identity_name", "identity", "answers with a name", []string{"req:GPI-01"}),
		NewListed("capacity_answers", "capacity by segment", "tells the capacity", []string{"req:GC-01"}),
		NewListed("sanity_1_001", "csi-sanity, zone=Z2", "should return appropriate values", []string{"csi-sanity"}),
	}
}

// labelled returns a matcher for a label filter, as a tier parses it.
func labelled(filter string) func(labels []string) bool {
	return func(labels []string) bool {
		wanted, negated := strings.CutPrefix(filter, "!")
		return filter == "" || slices.Contains(labels, wanted) != negated
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name  string
		given Options
		want  string
	}{
		{name: "everything", want: "T-EQ-1 T-EQ-2 identity_name capacity_answers sanity_1_001"},
		{name: "ids by their beginning, or an area", given: Options{Focus: []string{"^T-|capacity by"}}, want: "T-EQ-1 T-EQ-2 capacity_answers"},
		{name: "one id", given: Options{Focus: []string{"^identity_name$"}}, want: "identity_name"},
		{name: "an area from beginning to end", given: Options{Focus: []string{"^identity$"}}, want: "identity_name"},
		{name: "a text from beginning to end", given: Options{Focus: []string{"^chooses the segment$"}}, want: "T-EQ-1"},
		{name: "no pattern goes from an id to a text", given: Options{Focus: []string{"T-EQ-1 chooses", "T-EQ-2"}}, want: "T-EQ-2"},
		{name: "either of two", given: Options{Focus: []string{"T-EQ-1", "both"}}, want: "T-EQ-1 T-EQ-2"},
		{name: "all but some", given: Options{Skip: []string{"^T-", "capacity$"}}, want: "identity_name sanity_1_001"},
		{name: "some but one", given: Options{Focus: []string{"^T-"}, Skip: []string{"both"}}, want: "T-EQ-1"},
		{name: "a case of csi-sanity", given: Options{Focus: []string{"^csi-sanity, .*Z2$"}}, want: "sanity_1_001"},
		{name: "a label", given: Options{Label: "needs:exhaustion"}, want: "T-EQ-2"},
		{name: "without a label", given: Options{Label: "!csi-sanity"}, want: "T-EQ-1 T-EQ-2 identity_name capacity_answers"},
		{name: "a requirement", given: Options{Requirements: []string{"TR-07"}}, want: "T-EQ-1"},
		{name: "one of two requirements", given: Options{Requirements: []string{"TR-07", "TR-09"}}, want: "T-EQ-1 T-EQ-2"},
		{name: "no requirement whose id begins so", given: Options{Requirements: []string{"TR-0", "GC-01"}}, want: "capacity_answers"},
		{name: "some cases", given: Options{Cases: []string{"T-EQ-1", "sanity_1_001"}}, want: "T-EQ-1 sanity_1_001"},
		{name: "what a label leaves of an area", given: Options{Focus: []string{"^T-"}, Label: "!needs:exhaustion"}, want: "T-EQ-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			chosen, err := c.given.Choose(sample(), labelled(c.given.Label))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, strings.Join(IDs(chosen), " ")); diff != "" {
				t.Errorf("cases (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChooseNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		given Options
		want  []string
	}{
		{name: "a focus", given: Options{Focus: []string{"T-9", "T-8"}}, want: []string{`none of the 5 cases is left by focus "T-9", focus "T-8"; `, "csi-topo list"}},
		{name: "a focus in the wrong case", given: Options{Focus: []string{"^t-eq"}}, want: []string{`focus "^t-eq"; `, "(?i)"}},
		{name: "a skip", given: Options{Skip: []string{"."}}, want: []string{`is left by skip "."; `}},
		{name: "a label", given: Options{Label: "slow"}, want: []string{`is left by label "slow"; `}},
		{name: "a focus and a requirement", given: Options{Focus: []string{"^T-"}, Requirements: []string{"GC-01"}},
			want: []string{`is left by focus "^T-", requirement "GC-01"; `}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.given.Choose(sample(), labelled(c.given.Label))
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("want %q, got %v", want, err)
				}
			}
		})
	}
}
