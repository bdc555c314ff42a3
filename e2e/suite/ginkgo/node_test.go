// SPDX-License-Identifier: Apache-2.0

package ginkgo_test

import (
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/suite"
	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

func TestASpecOfAGuest(t *testing.T) {
	wrong := func() { gomega.Expect("Z3").To(gomega.Equal("Z2")) }
	panics := func() { panic("nil map") }
	for _, c := range []struct {
		name                string
		before, body, after func()
		mark                any // of the spec, such as ginkgo.Pending
		want                suite.Result
		state               types.SpecState
	}{
		{name: "holds", want: suite.Result{Verdict: suite.Passed}, state: types.SpecStatePassed},
		{name: "an assertion fails", body: wrong, want: suite.Result{Verdict: suite.Failed, Message: "judged: Expected"}, state: types.SpecStateFailed},
		{name: "an assertion before it fails", before: wrong, body: func() { t.Error("the body ran") },
			want: suite.Result{Verdict: suite.Errored, Reason: suite.CouldNot, Message: "around it: Expected"}, state: types.SpecStateFailed},
		{name: "an assertion after it fails", after: wrong,
			want: suite.Result{Verdict: suite.Errored, Reason: suite.CouldNot, Message: "around it: Expected"}, state: types.SpecStateFailed},
		{name: "assertions fail in it and after it", body: wrong, after: func() { suite.CouldNotTell("v1 is left") },
			want: suite.Result{Verdict: suite.Failed, Message: "judged: Expected\n    <string>: Z3\nto equal\n    <string>: Z2\nthen, while cleaning up: v1 is left"}, state: types.SpecStateFailed},
		{name: "it panics", body: panics, want: suite.Result{Verdict: suite.Errored, Reason: suite.CouldNot, Message: "the case panicked: nil map"}, state: types.SpecStateFailed},
		{name: "what is after it panics", after: panics,
			want: suite.Result{Verdict: suite.Errored, Reason: suite.CouldNot, Message: "the case panicked: nil map"}, state: types.SpecStateFailed},
		{name: "it skips itself", body: func() { ginkgo.Skip("no ListVolumes") },
			want: suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByCapability, Reason: "no ListVolumes"}, state: types.SpecStateSkipped},
		{name: "it skips itself before the body", before: func() { ginkgo.Skip("no ListVolumes") }, body: func() { t.Error("the body ran") },
			want: suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByCapability, Reason: "no ListVolumes"}, state: types.SpecStateSkipped},
		{name: "it skips itself, and what is after it panics", body: func() { ginkgo.Skip("no ListVolumes") }, after: panics,
			want: suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByCapability, Reason: "no ListVolumes"}, state: types.SpecStateSkipped},
		{name: "the suite skips it", body: func() { suite.Skip(suite.ByProfile, "no block") },
			want: suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByProfile, Reason: "no block"}, state: types.SpecStateSkipped},
		{name: "the suite leaves it out", before: func() { suite.LeaveOut("the driver is gone") }, body: func() { t.Error("the body ran") },
			want: suite.Result{Verdict: suite.Errored, Reason: suite.NotRun, Message: "the driver is gone"}, state: types.SpecStateSkipped},
		{name: "it calls ginkgo.Fail, which nothing judges", body: func() { ginkgo.Fail("Unknown capability") },
			want: suite.Result{Verdict: suite.Errored, Reason: suite.CouldNot, Message: "Unknown capability"}, state: types.SpecStateFailed},
		{name: "it is pending", mark: ginkgo.Pending, before: func() { t.Error("it ran") },
			want: suite.Result{Verdict: suite.Skipped, DecidedBy: suite.ByEnvironment, Reason: "its suite marks it as pending"}, state: types.SpecStatePending},
	} {
		t.Run(c.name, func(t *testing.T) {
			var spec edge.Spec
			node := func(body func(), failed func(string)) func() {
				return func() {
					spec.Node(func() {
						if body != nil {
							body()
						}
					}, failed)
				}
			}
			judged := func(assertion string) { suite.FailAbout(nil, "judged: %s", assertion) }
			around := func(assertion string) { suite.CouldNotTell("around it: %s", assertion) }
			args := []any{ginkgo.Label("case:G-1"), node(c.body, judged)}
			if c.mark != nil {
				args = append(args, c.mark)
			}
			var state types.SpecState
			err := edge.Run(t.Context(), func() {
				ginkgo.Describe("guest", func() {
					ginkgo.BeforeEach(node(c.before, around))
					ginkgo.It("runs", args...)
					ginkgo.AfterEach(node(c.after, around))
				})
			}, []string{"case:G-1"}, func(report types.SpecReport) {
				state = report.State
				spec.Ended(report)
			})
			if err != nil {
				t.Fatal(err)
			}
			got := spec.Result(suite.Listed{ID: "G-1"}, nil)
			if got.Verdict != c.want.Verdict || got.DecidedBy != c.want.DecidedBy || got.Reason != c.want.Reason || !strings.HasPrefix(got.Message, c.want.Message) {
				t.Errorf("want %+v, got %+v", c.want, got)
			}
			if state != c.state {
				t.Errorf("want Ginkgo to say %s, got %s", c.state, state)
			}
		})
	}
}

func TestWhatIsFoundAfterASpecIsAdded(t *testing.T) {
	var spec edge.Spec
	err := edge.Run(t.Context(), func() {
		ginkgo.It("runs", ginkgo.Label("case:G-1"), func() { spec.Node(func() { suite.Fail("TR-07", "got Z3") }, nil) })
		ginkgo.AfterEach(func() { spec.Node(func() { suite.CouldNotTell("v1 is left") }, nil) })
	}, []string{"case:G-1"}, spec.Ended)
	if err != nil {
		t.Fatal(err)
	}
	got := spec.Result(suite.Listed{ID: "G-1"}, nil)
	if got.Verdict != suite.Failed || !strings.HasPrefix(got.Message, "got Z3\nthen, while cleaning up: v1 is left") || len(got.Blamed) != 1 {
		t.Errorf("want both said of the spec, got %+v", got)
	}
}
