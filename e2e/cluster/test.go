// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
)

// Test runs the cases in a `go test`, each a subtest of its id, and returns the report. One test of a package can do so, and
// no other that runs a Ginkgo suite, as Ginkgo runs one suite in each process. The tier takes longer than `go test` lets a
// test run unless its flag -timeout says otherwise.
func Test(t *testing.T, o Options) *report.ConformanceReport {
	t.Helper()
	return runner.Test(t, func(ctx context.Context, out io.Writer) (*report.ConformanceReport, error) {
		if o.Cases.Out == nil {
			o.Cases.Out = out
		}
		return Run(ctx, o)
	})
}

// Declare makes Ginkgo containers of the cases, for a suite that the test runs afterwards with ginkgo.RunSpecs on the cluster
// of the kubeconfig, which is checked first. Ginkgo chooses the cases, judges them and reports them, one after another, so
// that the options' Cases, Parallel and Rules are not read. To Ginkgo, what contradicts a requirement that grades the platform
// is a failure like any other; Run and Test tell the two apart.
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
		return errors.New("declaring cases for Ginkgo: want a kubeconfig, as the cluster must be there before the suite begins")
	}
	described, err := o.described()
	if err != nil {
		return err
	}
	on, err := o.existing(t.Context())
	if err != nil {
		return err
	}
	o.Parallel = 1 // Ginkgo alone knows which cases it runs
	target := &harness.Target{}
	if err := o.prepare(t.Context(), target, described, on); err != nil {
		return err
	}
	suite := harness.New(target)
	t.Cleanup(func() {
		if err := suite.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(runner.NameCases())
	suite.Declare(Areas())
	return nil
}
