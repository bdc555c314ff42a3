// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// preview is what Ginkgo says of a suite before it runs.
func preview() types.Report {
	one := func(area, id, text string, labels ...string) types.SpecReport {
		return types.SpecReport{
			LeafNodeType: types.NodeTypeIt, ContainerHierarchyTexts: []string{area}, LeafNodeText: id + " " + text,
			LeafNodeLabels: append(verdict.Unregistered(id), labels...),
		}
	}
	return types.Report{SpecReports: types.SpecReports{
		one("requisite, x = n", "T-EQ-1", "chooses the segment", "req:TR-07"),
		one("requisite, x = n", "T-EQ-2", "chooses both segments", "req:TR-09", "needs:exhaustion"),
		one("identity", "identity_name", "answers with a name", "req:GPI-01"),
		one("capacity by segment", "capacity_answers", "tells the capacity", "req:GC-01"),
		one("csi-sanity, zone=Z2", "sanity_1_001", "should return appropriate values", "csi-sanity"),
		{LeafNodeType: types.NodeTypeReportBeforeSuite},
	}}
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
		{name: "either label, and a requirement", given: Options{Label: "req:TR-09 || req:TR-07", Requirements: []string{"TR-07"}}, want: "T-EQ-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := preview()
			chosen, err := c.given.Choose(listAll(given))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, strings.Join(ids(chosen), " ")); diff != "" {
				t.Errorf("cases (-want +got):\n%s", diff)
			}
			filter, err := types.ParseLabelFilter(leave(&given, chosen))
			if err != nil {
				t.Fatal(err)
			}
			var run []string
			for _, spec := range given.SpecReports {
				if spec.LeafNodeType != types.NodeTypeIt {
					continue
				}
				if left := spec.State != types.SpecStateSkipped; left != filter(spec.Labels()) {
					t.Errorf("%s: left %t, matched by the label filter %t", spec.LeafNodeText, left, !left)
				} else if left {
					run = append(run, verdict.CaseID(spec.Labels()))
				}
			}
			if diff := cmp.Diff(ids(chosen), run); diff != "" {
				t.Errorf("cases that Ginkgo runs (-chosen +got):\n%s", diff)
			}
			if given.PreRunStats.SpecsThatWillRun != len(run) {
				t.Errorf("want %d cases counted, got %d", len(run), given.PreRunStats.SpecsThatWillRun)
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
			_, err := c.given.Choose(listAll(preview()))
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("want %q, got %v", want, err)
				}
			}
		})
	}
}
