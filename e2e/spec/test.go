// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"context"
	"io"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
)

// Test runs the cases in a `go test`, each a subtest of its id, and returns the report. One test of a package can do so, and
// no other that runs a Ginkgo suite, as Ginkgo runs one suite in each process.
func Test(t *testing.T, o Options) *report.ConformanceReport {
	t.Helper()
	return runner.Test(t, func(ctx context.Context, out io.Writer) (*report.ConformanceReport, error) {
		if o.Cases.Out == nil {
			o.Cases.Out = out
		}
		return Run(ctx, o)
	})
}

// Declare makes Ginkgo containers of the cases, for a suite that the test runs afterwards with ginkgo.RunSpecs. It connects
// to the driver, and creates a volume and deletes it. Ginkgo chooses the cases, judges them and reports them, so that the
// options' Cases are not read, but for the seed.
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
	if err := s.cases.Preflight(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.target.Parallel = 1 // Ginkgo alone knows which cases it runs
	t.Cleanup(runner.NameCases())
	finish := s.declare()
	t.Cleanup(func() {
		finish()
		s.cases.RemoveWhatIsLeft(t.Context(), t.Output())
	})
}
