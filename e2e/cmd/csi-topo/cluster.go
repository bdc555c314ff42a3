package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/runner"
)

// clusterRun is what one run of the cluster tier was asked for.
type clusterRun struct {
	environment environment.Options
	cases       runner.Options
	// keep leaves the cluster running.
	keep bool
	// kubeconfig and workload name a cluster of somebody else's, and the image that pods
	// run there.
	kubeconfig, workload string
	filters              filters
}

func newClusterCommand() *cobra.Command {
	asked := clusterRun{cases: runner.Options{Tier: "cluster"}}
	command := &cobra.Command{
		Use:   "cluster",
		Short: "Run the cases that need a cluster, on one made for them",
		Long: `Run the cases that need a cluster: a multi-zone kind cluster with the reference driver, which is made for the run and
deleted after it. A cluster of the same name, layout and version that runs already is used, and left running.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) (err error) {
			if asked.environment, err = here(command, asked.environment); err != nil {
				return err
			}
			asked.cases.Out = command.OutOrStdout()
			if err := asked.filters.fill(&asked.cases); err != nil {
				return err
			}
			if err := asked.cases.Validate(); err != nil {
				return err
			}
			if asked.kubeconfig != "" {
				return asked.onExisting(command.Context())
			}
			return asked.onKind(command.Context())
		},
	}
	addEnvironmentFlags(command, &asked.environment)
	addRunFlags(command, &asked.cases)
	asked.filters.addTo(command)
	flags := command.Flags()
	flags.BoolVar(&asked.keep, "keep", false, "leave the cluster running")
	flags.StringVar(&asked.kubeconfig, "kubeconfig", "", "run on the cluster of this kubeconfig, where the driver is installed, instead of making one")
	flags.StringVar(&asked.workload, "workload-image", "", "with --kubeconfig: the image that the cases' pods run")
	command.MarkFlagsMutuallyExclusive("kubeconfig", "name")
	command.MarkFlagsMutuallyExclusive("kubeconfig", "layout")
	return command
}

// onKind makes a cluster once the cases to run are known, and takes it down after them.
func (r clusterRun) onKind(ctx context.Context) error {
	logs := filepath.Join(r.cases.ReportDir, "logs")
	if err := r.environment.Check(); err != nil {
		return err
	}
	var up *environment.Environment
	target := &cluster.Target{}
	r.cases.Prepare = func(ctx context.Context) (err error) {
		if up, err = environment.Up(ctx, r.environment, logs); err != nil {
			return err
		}
		return fillTarget(target, up.REST, up.Workload, r.environment.Deployment)
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

func (r clusterRun) run(ctx context.Context, target *cluster.Target) error {
	r.cases.Describe = describeCluster(ctx, target)
	result, err := runner.Run(ctx, r.cases, func() { cluster.Register(target) })
	if err != nil {
		return fmt.Errorf("running the cluster tier: %w", err)
	}
	return ended(result)
}
