// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/internal/session"
)

// clusterRun holds the options of one run of the cluster tier.
type clusterRun struct {
	cluster.Options
	environment environment.Options
	described   clusterProfile
	keep        keep
	// inject is a file with rules for recording proxies.
	inject  string
	filters filters
	expects expected
	scale   timeoutScale
	// dryRun says to run no case and create no cluster.
	dryRun bool
	// job says to run some cases again, from a Job in the created cluster.
	job bool
	// spec says to run the spec tier on the installed driver.
	spec bool
	// reportMap is the ConfigMap for the report, as namespace/name; empty for none.
	reportMap string
}

func newClusterCommand() *cobra.Command {
	asked := clusterRun{keep: keepNever}
	command := &cobra.Command{
		Use:   "cluster [CASE...]",
		Short: "Run the cases that need a cluster, on one created for them",
		Long: `Run the cases that need a cluster, or only the cases with the given ids, with the driver of the profile. They run on a
multi-zone kind cluster that is created for the run and deleted after it. An existing cluster with the same name, layout and
version is used instead and left running.

With --kubeconfig, the cases run on a cluster that others use, where the driver is installed. The run installs nothing there
and changes only objects it created, except where the profile's disturb allows more. Before the first case, it checks what
the cases need from the cluster and from the kubeconfig's user. With --in-cluster, it uses the cluster of the pod that it runs
in, as the pod's service account: ` + "`csi-topo job`" + ` prints a Job that does so. To reach the driver's sockets, if the profile
names any, a run adds an ephemeral container to the driver's pods, which stays until the pod is deleted.`,
		Example: `  csi-topo cluster --label smoke --report-dir _report
  csi-topo cluster --kubeconfig ~/.kube/config --profile csi.example.com.yaml --workload-image registry.example.com/csi-topo-workload --dry-run`,
		RunE: func(command *cobra.Command, args []string) error {
			asked.filters.cases = args
			nameCommand(&asked.Cases, command, args)
			if err := asked.check(command); err != nil {
				return err
			}
			switch {
			case asked.dryRun:
				return asked.plan(command.Context())
			case asked.onOthers():
				return asked.onExisting(command.Context())
			default:
				return asked.onKind(command.Context())
			}
		},
	}
	addEnvironmentFlags(command, &asked.environment)
	asked.described.addTo(command)
	addRunFlags(command, &asked.Cases)
	asked.filters.addTo(command)
	asked.expects.addTo(command)
	flags := command.Flags()
	flags.IntVar(&asked.Parallel, "parallel", cluster.DefaultParallel, "how many cases may run concurrently, if they do not disturb each other")
	flags.BoolVar(&asked.Slow, "slow", false, "also run the cases that take minutes; they have the label needs:slow")
	flags.Var(&asked.keep, "keep", "when to leave the cluster running: on-failure means if a case failed or ended in an error, but not if the run was interrupted")
	completeFlag(command, "keep", words(keepValues()...))
	flags.StringVar(&asked.Kubeconfig, "kubeconfig", "", "run on the cluster of this kubeconfig, where the driver is installed, instead of creating one")
	flags.BoolVar(&asked.InCluster, "in-cluster", false, "run on the cluster of the pod that csi-topo runs in, as its service account, instead of creating one")
	flags.StringVar(&asked.reportMap, "report-configmap", "", "with --kubeconfig or --in-cluster: also write the report to this existing ConfigMap, as `namespace/name`")
	flags.BoolVar(&asked.job, "job", false, "after the cases, run a few of them again from a Job in the cluster, as printed by csi-topo job")
	flags.BoolVar(&asked.spec, "spec", false, "after the cases, run the spec tier on the installed driver, through its sockets; only the specification's examples if the run is for some cases")
	flags.StringVar(&asked.inject, "inject", "", "YAML `file` with rules for the recording proxies in front of the driver, and flags for the provisioners that cases start, to see which cases detect a wrong driver or provisioner")
	flags.StringVar(&asked.WorkloadImage, "workload-image", "", "with --kubeconfig or --in-cluster: the image of the cases' pods")
	asked.scale.addTo(flags)
	addDryRunFlag(flags, &asked.dryRun)
	command.ValidArgsFunction = proposing(caseIDs("cluster"))
	asked.filters.complete(command, "cluster")
	command.MarkFlagsMutuallyExclusive("kubeconfig", "in-cluster")
	for _, others := range []string{"kubeconfig", "in-cluster"} {
		for _, own := range []string{"name", "layout", "inject", "keep", "job", "spec"} {
			command.MarkFlagsMutuallyExclusive(others, own)
		}
	}
	return command
}

// onOthers reports whether the cases run on an existing cluster, which others may use.
func (r *clusterRun) onOthers() bool { return r.Kubeconfig != "" || r.InCluster }

// check completes the options, and returns an error for a run that is impossible, before anything is changed.
func (r *clusterRun) check(command *cobra.Command) (err error) {
	r.environment.Out = command.OutOrStdout()
	if err := r.described.read(); err != nil {
		return err
	}
	r.Profile = r.described.name
	if r.Rules, err = rulesOf(r.inject); err != nil {
		return err
	}
	printTo(command, &r.Cases)
	if err := r.filters.fill(&r.Cases); err != nil {
		return err
	}
	if err := r.expects.read("cluster"); err != nil {
		return err
	}
	if r.dryRun {
		r.Cases.ReportDir = ""
	}
	if err := r.scale.check(); err != nil {
		return err
	}
	r.TimeoutScale = float64(r.scale)
	switch {
	case r.Kubeconfig != "" && r.WorkloadImage == "":
		return errors.New("--kubeconfig needs --workload-image: the image of the cases' pods, which the cluster must be able to pull")
	case r.InCluster && r.WorkloadImage == "":
		return errors.New("--in-cluster needs --workload-image: the image of the cases' pods, which the cluster must be able to pull")
	case r.reportMap != "" && (!r.onOthers() || r.Cases.ReportDir == "" && !r.dryRun):
		return errors.New("--report-configmap needs --report-dir, where the report is written first, and --kubeconfig or --in-cluster: a cluster that the run creates is deleted after it")
	}
	if err := session.Validate(r.Cases); err != nil {
		return err
	}
	_, err = session.Choose(r.Cases, clusterCases()) // before anything is built
	return err
}

// onExisting runs the cases on an existing cluster.
func (r clusterRun) onExisting(ctx context.Context) error {
	keep, err := r.keeper(ctx)
	if err != nil {
		return err
	}
	result, err := cluster.Run(ctx, r.Options)
	if result != nil {
		err = errors.Join(err, keep(ctx))
	}
	return r.expects.ended(r.Cases.Out, result, err)
}

// onKind creates a cluster once the cases to run are known, and removes it after them.
func (r clusterRun) onKind(ctx context.Context) error {
	logs := filepath.Join(r.Cases.ReportDir, "logs")
	if err := r.prepare(ctx); err != nil {
		return err
	}
	var up *environment.Environment
	r.Create = func(ctx context.Context) (created cluster.Cluster, err error) {
		if up, err = environment.Up(ctx, r.environment, logs); err != nil {
			return created, err
		}
		return cluster.Cluster{REST: up.REST, WorkloadImage: up.Workload, Own: true, Machines: up}, nil
	}
	err := r.onExisting(ctx)
	if up == nil {
		return err
	}
	if r.spec && ctx.Err() == nil {
		err = errors.Join(err, r.bySockets(ctx, up))
	}
	if r.job && ctx.Err() == nil {
		err = errors.Join(err, r.asJob(ctx, up))
	}
	if err != nil {
		err = errors.Join(err, up.ExportLogs(context.WithoutCancel(ctx), logs))
	}
	keep := r.keep.after(ctx, err)
	if keep {
		up.Progress.Printf("cluster %s is left running: export KUBECONFIG=%s", up.Name, up.Kubeconfig)
	}
	return errors.Join(err, up.Down(ctx, keep))
}

// prepare completes the options for creating a cluster, and returns an error if it cannot be created.
func (r *clusterRun) prepare(ctx context.Context) (err error) {
	if r.environment, err = r.described.install(ctx, r.environment); err != nil {
		return err
	}
	return r.environment.Check()
}
