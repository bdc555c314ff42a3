// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"context"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/internal/sanity"
	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// Test runs the cases in a `go test`, each a subtest of its id, and returns the report. The flag -run of `go test` chooses
// among them: -run TestDriver/T-EQ-1 runs that case alone.
func Test(t *testing.T, o Options) *report.ConformanceReport {
	t.Helper()
	return session.Test(t, o.Cases, func(ctx context.Context, cases suite.Options, only func(id string) bool) (*report.ConformanceReport, error) {
		o.Cases = cases
		return run(ctx, o, only)
	})
}

// Declare makes Ginkgo containers of the cases, for a suite that the test runs afterwards with ginkgo.RunSpecs. It
// connects to the driver, and creates a volume and deletes it. Ginkgo chooses the cases and reports them, one after
// another, so the options' Cases are ignored, except for the seed.
func Declare(t *testing.T, o Options) {
	t.Helper()
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.keepJournal(); err != nil {
		t.Fatal(err)
	}
	if err := s.preflight(t.Context()); err != nil {
		t.Fatal(err)
	}
	runner := &suite.Runner[*harness.Driver]{Lookup: requirement.Lookup}
	s.cases.Set(runner)
	ginkgo.Declare(Areas(), runner, 2*runner.CleanUp)
	finish := sanity.Declare(t.Context(), s.cases, segments(s.driver), sanity.Extent(s.options.Sanity))
	t.Cleanup(func() {
		finish(t.Context())
		if err := s.finish(t.Context(), t.Output()); err != nil {
			t.Error(err)
		}
	})
}
