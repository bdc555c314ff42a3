// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestFromResults(t *testing.T) {
	const text = "puts the volume where it was asked"
	call := suite.Recorded{json.RawMessage(`{}`), json.RawMessage(`{}`)}
	nowhere := func() suite.Placement { return suite.Placement{} }
	placed := suite.Placement{Volumes: []suite.PlacedVolume{{Name: "data"}}}
	for _, c := range []struct {
		name  string
		given []suite.Result
		want  []Case
		total Summary
	}{
		{
			name: "cases in the order of the results, each with the lines of its calls",
			given: []suite.Result{
				ended("T-2", suite.Result{Verdict: suite.Passed, Calls: call, Placed: nowhere}),
				ended("T-3", suite.Result{Verdict: suite.Passed}),
				ended("T-1", suite.Result{Verdict: suite.Warned, Message: "slow", Blamed: []string{"TR-01"}, Calls: call, Placed: func() suite.Placement { return placed }}),
			},
			want: []Case{
				{ID: "T-2", Verdict: suite.Passed, Calls: &Lines{First: 1, Last: 2}},
				{ID: "T-3", Verdict: suite.Passed},
				{ID: "T-1", Verdict: suite.Warned, Message: "slow", Blamed: []string{"TR-01"}, Calls: &Lines{First: 3, Last: 4}, Placement: &placed},
			},
			total: Summary{Pass: 2, Warn: 1, Seconds: 2.346},
		},
		{
			name: "each verdict is counted",
			given: []suite.Result{
				ended("T-1", suite.Result{Verdict: suite.Failed, Message: "rpc error: code = NotFound desc = no v1\nat e2e/spec/placement/t_eq.go:11"}),
				ended("T-2", suite.Result{Verdict: suite.Errored, Reason: suite.CouldNot, Message: "the watch broke"}),
				ended("T-3", suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByWaiver, Reason: "one zone by design"}),
			},
			want: []Case{
				{ID: "T-1", Verdict: suite.Failed, Message: "NOT_FOUND: no v1\nat e2e/spec/placement/t_eq.go:11"},
				{ID: "T-2", Verdict: suite.Errored, Reason: suite.CouldNot, Message: "the watch broke"},
				{ID: "T-3", Verdict: suite.Skipped, DecidedBy: suite.ByWaiver, Reason: "one zone by design"},
			},
			total: Summary{Fail: 1, Error: 1, Skip: 1, Waived: 1, Seconds: 2.346},
		},
		{name: "no case", want: []Case{}, total: Summary{Seconds: 2.346}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.want {
				c.want[i].Tier, c.want[i].Area, c.want[i].Text = "cluster", "placement", text
				c.want[i].Requirements, c.want[i].Seconds = []string{"TR-01"}, 1.5
			}
			got := FromResults(Finished{Tier: "cluster", Seed: 7, Took: 2345678 * time.Microsecond, Results: c.given}, levels)
			if diff := cmp.Diff(c.want, got.Cases, cmpopts.IgnoreUnexported(Case{})); diff != "" {
				t.Errorf("cases (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.total, got.Summary); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
			if got.Suite.Seed != 7 || got.Environment.Tier != "cluster" || got.Kind != Kind {
				t.Errorf("want a report of the cluster tier with seed 7, got %+v", got)
			}
		})
	}
}
