// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/internal/target/preflight"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Run runs the cases on the cluster, and undoes their changes. One process can have many runs, also concurrently. The end
// of ctx interrupts the run: created objects are removed, and the report is written. suite.OnSignals returns a context that
// ends on signals. Before the first case, Run checks the requirements of the cases on an existing cluster and on the
// kubeconfig's user.
func Run(ctx context.Context, o Options) (*report.ConformanceReport, error) { return run(ctx, o, nil) }

// run is like Run, but runs only the cases that only accepts, or all if it is nil.
func run(ctx context.Context, o Options, only func(id string) bool) (*report.ConformanceReport, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	described, err := o.described()
	if err != nil {
		return nil, err
	}
	create := o.Create
	if create == nil {
		on, err := o.existing(ctx)
		if err != nil {
			return nil, err
		}
		create = func(context.Context) (Cluster, error) { return on, nil }
	}
	target := &harness.Target{}
	tier := harness.New(target)
	takeBack := func(context.Context) error { return nil }
	result, err := session.Session[*harness.Scenario]{
		Tier:    "cluster",
		Profile: described, ProfileName: o.Profile,
		Options: o.Cases,
		Areas:   Areas(),
		Only:    only,
		Prepare: func(ctx context.Context, runner *suite.Runner[*harness.Scenario]) error {
			on, err := create(ctx)
			if err != nil {
				return err
			}
			if err := o.prepare(ctx, target, described, on); err != nil {
				return err
			}
			tier.Set(runner)
			undo, err := target.Inject(ctx, o.Rules)
			if err == nil {
				takeBack = undo
			}
			return err
		},
		Describe: describeTo(target),
		Finish: func(ctx context.Context, _ io.Writer) error {
			return errors.Join(within(ctx, takeBack), tier.Close())
		},
	}.Run(ctx)
	if err != nil {
		return result, fmt.Errorf("running the cluster tier: %w", err)
	}
	return result, nil
}

// prepare fills in the target, and returns an error for a problem that would make every case inconclusive.
func (o Options) prepare(ctx context.Context, target *harness.Target, described profile.Profile, on Cluster) error {
	if err := o.fill(target, described, on); err != nil {
		return err
	}
	if err := o.prepareFailures(target); err != nil {
		return err
	}
	if on.Own {
		return preflight.Own(ctx, target)
	}
	return preflight.Shared(ctx, target)
}

// prepareFailures sets the directory for the evidence of failed cases, and removes the files of an earlier run there.
func (o Options) prepareFailures(target *harness.Target) error {
	if o.Cases.ReportDir == "" {
		return nil
	}
	target.FailuresDir = filepath.Join(o.Cases.ReportDir, "failures")
	if err := os.RemoveAll(target.FailuresDir); err != nil {
		return fmt.Errorf("removing what an earlier run left: %w", err)
	}
	return nil
}

// takenBackWithin is the time limit for removing the rules of an interrupted run.
const takenBackWithin = time.Minute

// within calls takeBack with a time limit, even if the run was interrupted.
func within(ctx context.Context, takeBack func(context.Context) error) error {
	ctx, cancel := suite.CleanUp(ctx, takenBackWithin)
	defer cancel()
	if err := takeBack(ctx); err != nil {
		return fmt.Errorf("taking back the rules that were injected: %w", err)
	}
	return nil
}
