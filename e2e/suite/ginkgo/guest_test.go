// SPDX-License-Identifier: Apache-2.0

package ginkgo_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// specs declares a guest of the name with three specs. during runs in each, and the second fails. The id of each, read as a
// pattern, would match a label of another.
func specs(name string, during func()) func() {
	return func() {
		ginkgo.Describe(name, func() {
			for i, want := range []int{1, 0, 3} {
				id := fmt.Sprintf("%s.%d", name, i+1)
				ginkgo.It(id, ginkgo.Label("case:"+id, "guest", fmt.Sprintf("case:%sx%d", name, (i+1)%3+1)), func() {
					during()
					gomega.Expect(want).To(gomega.Equal(i + 1))
				})
			}
		})
	}
}

func nothing() {}

// visit previews a guest, runs two of its specs, and returns its findings.
func visit(ctx context.Context, name string, during func()) (found []string, err error) {
	declare := specs(name, during)
	listed, err := edge.Preview(ctx, declare)
	if err != nil {
		return nil, err
	}
	for _, spec := range listed {
		found = append(found, spec.LeafNodeText)
	}
	err = edge.Run(ctx, declare, []string{"case:" + name + ".1", "case:" + name + ".2"}, func(spec types.SpecReport) {
		found = append(found, spec.LeafNodeText+" "+spec.State.String())
	})
	return found, err
}

func visited(name string) []string {
	return []string{name + ".1", name + ".2", name + ".3", name + ".1 passed", name + ".2 failed", name + ".3 skipped"}
}

func TestAGuestTwiceInAProcess(t *testing.T) {
	for _, name := range []string{"a", "b", "a"} {
		got, err := visit(t.Context(), name, nothing)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got[3:]) // Ginkgo chooses the order
		if diff := cmp.Diff(visited(name), got); diff != "" {
			t.Errorf("guest %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestGuestsAtOnce(t *testing.T) {
	var running, most atomic.Int32
	var all sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		all.Go(func() {
			for range 5 {
				got, err := visit(t.Context(), name, func() {
					most.Store(max(most.Load(), running.Add(1)))
					running.Add(-1)
				})
				if err != nil {
					t.Error(err)
					return
				}
				slices.Sort(got[3:])
				if diff := cmp.Diff(visited(name), got); diff != "" {
					t.Errorf("guest %s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("want one spec at once, got %d", most.Load())
	}
}

func TestAGuestLeavesNothingChanged(t *testing.T) {
	suite, reporter := ginkgo.GinkgoConfiguration()
	out, fails := formatter.ColorableStdOut, gomega.Default
	if _, err := visit(t.Context(), "a", nothing); err != nil {
		t.Fatal(err)
	}
	suiteAfter, reporterAfter := ginkgo.GinkgoConfiguration()
	if diff := cmp.Diff(suite, suiteAfter) + cmp.Diff(reporter, reporterAfter); diff != "" {
		t.Errorf("Ginkgo's configuration (-want +got):\n%s", diff)
	}
	if formatter.ColorableStdOut != out || gomega.Default != fails {
		t.Error("want Ginkgo's output and Gomega's fail handler as they were")
	}
	if ran := runSuite(t, func() { ginkgo.It("is the process's own", nothing) }, asItIs); len(ran) != 1 || ran["is the process's own"].State != types.SpecStatePassed {
		t.Errorf("want a suite of the process to run after the guest, got %+v", ran)
	}
}

func TestNoGuestBesideASuite(t *testing.T) {
	declare := specs("a", nothing)
	refused := func(when string) {
		t.Helper()
		if _, err := edge.Preview(t.Context(), declare); !errors.Is(err, edge.ErrTaken) {
			t.Errorf("%s: want the preview refused, got %v", when, err)
		}
		err := edge.Run(t.Context(), declare, []string{"guest"}, func(types.SpecReport) { t.Errorf("%s: a spec ran", when) })
		if !errors.Is(err, edge.ErrTaken) {
			t.Errorf("%s: want the run refused, got %v", when, err)
		}
	}
	ran := runSuite(t, func() {
		ginkgo.Describe("the process's own", func() {
			ginkgo.It("first", func() { refused("while it runs") })
		})
		ginkgo.It("second", nothing) // in no container
		refused("before it runs")
		ginkgo.ReportAfterSuite("", func(ginkgo.Report) { refused("at its end") })
	}, asItIs)
	if len(ran) != 2 || ran["first"].State != types.SpecStatePassed || ran["second"].State != types.SpecStatePassed {
		t.Errorf("want the suite to run as if no guest had come, got %+v", ran)
	}
	if _, err := edge.Preview(t.Context(), declare); err != nil {
		t.Errorf("without a suite: %v", err)
	}
}

func TestAGuestWaitsAsLongAsItsContext(t *testing.T) {
	ended, end := context.WithCancelCause(t.Context())
	why := errors.New("out of time")
	end(why)
	refused := func(when string) {
		for range 50 { // either would do at random
			if _, err := edge.Preview(ended, specs("b", nothing)); !errors.Is(err, why) {
				t.Fatalf("%s: want %v, got %v", when, why, err)
			}
		}
	}
	refused("while there is none")
	err := edge.Run(t.Context(), specs("a", func() { refused("while another runs") }), []string{"case:a.1"}, func(spec types.SpecReport) {
		if spec.LeafNodeText == "a.1" && spec.State != types.SpecStatePassed {
			t.Errorf("got %s: %s", spec.State, spec.Failure.Message)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAGuestPrintsNothing(t *testing.T) {
	var printed strings.Builder
	stdout := formatter.ColorableStdOut
	formatter.ColorableStdOut = &printed
	defer func() { formatter.ColorableStdOut = stdout }()
	if _, err := visit(t.Context(), "a", nothing); err != nil {
		t.Fatal(err)
	}
	if printed.Len() > 0 {
		t.Errorf("got:\n%s", printed.String())
	}
}
