// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// Test runs the cases in a `go test`, each in a subtest named by its id, and returns the report. The flag -run of `go test`
// selects among them. The tier takes longer than the default timeout of `go test`, so set its flag -timeout.
func Test(t *testing.T, o Options) *report.ConformanceReport {
	t.Helper()
	return session.Test(t, o.Cases, func(ctx context.Context, cases suite.Options, only func(id string) bool) (*report.ConformanceReport, error) {
		o.Cases = cases
		return run(ctx, o, only)
	})
}

// Declare declares Ginkgo containers for the cases, for a suite that the test then runs with ginkgo.RunSpecs on the cluster
// of the kubeconfig, which is checked first. Ginkgo selects the cases, runs them one at a time and reports them, so the
// options' Cases, Parallel and Rules are ignored.
func Declare(t *testing.T, o Options) {
	t.Helper()
	if err := o.declare(t); err != nil {
		t.Fatal(err)
	}
}

func (o Options) declare(t *testing.T) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Create != nil {
		return errors.New("declaring cases for Ginkgo: want a kubeconfig, as the cluster must exist before the suite begins")
	}
	described, err := o.described()
	if err != nil {
		return err
	}
	on, err := o.existing(t.Context())
	if err != nil {
		return err
	}
	o.Parallel = 1 // only Ginkgo knows which cases it runs
	target := &harness.Target{}
	if err := o.prepare(t.Context(), target, described, on); err != nil {
		return err
	}
	tier := harness.New(target)
	t.Cleanup(func() {
		if err := tier.Close(); err != nil {
			t.Error(err)
		}
	})
	runner := &suite.Runner[*harness.Scenario]{Lookup: requirement.Lookup}
	tier.Set(runner)
	ginkgo.Declare(Areas(), runner, 2*runner.CleanUp)
	return nil
}
