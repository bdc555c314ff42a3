package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/preflight"
	"github.com/csi-topo/csi-topo/e2e/runner"
)

// clusterRun is what one run of the cluster tier was asked for.
type clusterRun struct {
	environment environment.Options
	described   clusterProfile
	cases       runner.Options
	// parallel is how many cases may run at once.
	parallel int
	// slow has cases run that take minutes.
	slow bool
	// keep leaves the cluster running.
	keep bool
	// kubeconfig and workload name a cluster of somebody else's, and the image that pods
	// run there.
	kubeconfig, workload string
	// inject is a file with rules for recording proxies, and rules is what it has.
	inject  string
	rules   harness.Rules
	filters filters
	scale   timeoutScale
	// dryRun has no case run, and no cluster created.
	dryRun bool
}

// defaultClusterParallel is what two cores bear.
const defaultClusterParallel = 6

func newClusterCommand() *cobra.Command {
	asked := clusterRun{cases: runner.Options{Tier: "cluster"}}
	command := &cobra.Command{
		Use:   "cluster",
		Short: "Run the cases that need a cluster, on one created for them",
		Long: `Run the cases that need a cluster: a multi-zone kind cluster, which is created for the run and deleted after it, with
the driver of the profile. A cluster of the same name, layout and version that already runs is used and left running.

With --kubeconfig it is a cluster that others use, where the driver is installed. Nothing is installed there, nothing is
changed that the run did not create, but for what the profile allows the run to disturb, and what the cases need of the
cluster and of the kubeconfig's user is checked before the first of them. To reach the driver's sockets, where the profile
names some, a run adds an ephemeral container to the driver's pods, which stays until the pod is deleted.`,
		Example: `  csi-topo cluster --label smoke --report-dir _report
  csi-topo cluster --kubeconfig ~/.kube/config --profile csi.example.com.yaml --workload-image registry.example.com/csi-topo-workload --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) (err error) {
			asked.environment.Out = command.OutOrStdout()
			if err := asked.described.read(); err != nil {
				return err
			}
			if asked.rules, err = rulesOf(asked.inject); err != nil {
				return err
			}
			printTo(command, &asked.cases)
			if err := asked.filters.fill(&asked.cases); err != nil {
				return err
			}
			if asked.dryRun {
				asked.cases.ReportDir = ""
			}
			if err := asked.cases.Validate(); err != nil {
				return err
			}
			if err := asked.scale.check(); err != nil {
				return err
			}
			if _, err := asked.cases.Choose(clusterCases()); err != nil { // before the machine is looked at
				return err
			}
			if asked.dryRun {
				return asked.plan(command.Context())
			}
			if asked.kubeconfig != "" {
				return asked.onExisting(command.Context())
			}
			return asked.onKind(command.Context())
		},
	}
	addEnvironmentFlags(command, &asked.environment)
	asked.described.addTo(command)
	addRunFlags(command, &asked.cases)
	asked.filters.addTo(command)
	flags := command.Flags()
	flags.IntVar(&asked.parallel, "parallel", defaultClusterParallel, "how many cases may run at once, of those that do not disturb each other")
	flags.BoolVar(&asked.slow, "slow", false, "also run the cases that take minutes, which have the label needs:slow")
	flags.BoolVar(&asked.keep, "keep", false, "leave the cluster running")
	flags.StringVar(&asked.kubeconfig, "kubeconfig", "", "run on the cluster of this kubeconfig, where the driver is installed, instead of making one")
	flags.StringVar(&asked.inject, "inject", "", "YAML `file` with rules for the recording proxies in front of the driver and flags for the provisioners that cases start, to see which cases notice a wrong driver or provisioner")
	flags.StringVar(&asked.workload, "workload-image", "", "with --kubeconfig: the image that the cases' pods run")
	asked.scale.addTo(flags)
	addDryRunFlag(flags, &asked.dryRun)
	asked.filters.complete(command, "cluster")
	command.MarkFlagsMutuallyExclusive("kubeconfig", "name")
	command.MarkFlagsMutuallyExclusive("kubeconfig", "layout")
	command.MarkFlagsMutuallyExclusive("kubeconfig", "inject")
	return command
}

// onKind makes a cluster once the cases to run are known, and takes it down after them.
func (r clusterRun) onKind(ctx context.Context) error {
	logs := filepath.Join(r.cases.ReportDir, "logs")
	if err := r.prepare(ctx); err != nil {
		return err
	}
	var up *environment.Environment
	target := &harness.Target{}
	r.cases.Prepare = func(ctx context.Context) (err error) {
		if up, err = environment.Up(ctx, r.environment, logs); err != nil {
			return err
		}
		if err := r.fillTarget(target, up.REST, up.Workload, true); err != nil {
			return err
		}
		target.Machines = up
		return preflight.Own(ctx, target)
	}
	err := r.run(ctx, target)
	if up == nil {
		return err
	}
	if err != nil {
		err = errors.Join(err, up.ExportLogs(context.WithoutCancel(ctx), logs))
	}
	if r.keep {
		up.Progress.Printf("cluster %s is left running: export KUBECONFIG=%s", up.Name, up.Kubeconfig)
	}
	return errors.Join(err, up.Down(ctx, r.keep))
}

// prepare completes what a cluster is made from, and says if none can be.
func (r *clusterRun) prepare(ctx context.Context) (err error) {
	if r.environment, err = r.described.install(ctx, r.environment); err != nil {
		return err
	}
	return r.environment.Check()
}

func (r clusterRun) run(ctx context.Context, target *harness.Target) error {
	takeBack := func(context.Context) error { return nil }
	r.cases.Describe = describeCluster(ctx, target)
	prepare := r.cases.Prepare
	r.cases.Prepare = func(ctx context.Context) error {
		if prepare != nil {
			if err := prepare(ctx); err != nil {
				return err
			}
		}
		target.Parallel, target.Slow = r.parallel, r.slow
		if err := r.prepareFailures(target); err != nil {
			return err
		}
		undo, err := target.Inject(ctx, r.rules)
		if err == nil {
			takeBack = undo
		}
		return err
	}
	suite := harness.New(target)
	r.cases.Chosen, r.cases.Progress = suite.Choose, suite.Progress
	result, err := runner.Run(ctx, r.cases, func() { suite.Declare(cluster.Areas()) })
	err = errors.Join(err, within(ctx, takeBack), suite.Close())
	if err != nil {
		return fmt.Errorf("running the cluster tier: %w", err)
	}
	return ended(result)
}

// prepareFailures tells the target where failed cases leave what they saw, and removes what those of an earlier run left.
func (r clusterRun) prepareFailures(target *harness.Target) error {
	if r.cases.ReportDir == "" {
		return nil
	}
	target.FailuresDir = filepath.Join(r.cases.ReportDir, "failures")
	if err := os.RemoveAll(target.FailuresDir); err != nil {
		return fmt.Errorf("removing what an earlier run left: %w", err)
	}
	return nil
}
