package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/csi-topo/csi-topo/clusters/existing"
	"github.com/csi-topo/csi-topo/e2e/runner"
)

// addDryRunFlag gives a command that runs cases the flag by which it runs none.
func addDryRunFlag(flags *pflag.FlagSet, dryRun *bool) {
	flags.BoolVar(dryRun, "dry-run", false, "check the flags, the profile and that the driver or the cluster can be reached, and print the cases that would run, without running one or changing anything")
}

// plan prints what the run would do, once the driver has said who it is and where its nodes are.
func (r specRun) plan(ctx context.Context) error {
	out := r.options.Out
	name, path := "", r.profile
	if r.at.controller == "" {
		fmt.Fprintln(out, "driver: the reference driver, in this process")
	} else {
		driver, err := connect(ctx, r.at, r.limits().Restart)
		if err != nil {
			return err
		}
		defer func() { _ = driver.close() }()
		name = driver.name
		fmt.Fprintf(out, "driver: %s at %s\n", name, r.at.controller)
		for i, info := range driver.infos {
			fmt.Fprintf(out, "node: %s at %s, in %v\n", info.GetNodeId(), driver.endpoints.nodes[i], info.GetAccessibleTopology().GetSegments())
		}
	}
	read, err := described(path, name)
	if err != nil {
		return err
	}
	parallel, err := r.sideBySide(read)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "at once: %d\nvolumes of %d bytes\n", parallel, read.VolumeBytes)
	return printPlan(out, r.options, specCases(), "What the driver does not claim is skipped, and csi-sanity's cases come besides.")
}

// plan prints what the run would do, once the cluster has answered, or there is all that it takes to create one.
func (r clusterRun) plan(ctx context.Context) error {
	out := r.cases.Out
	fmt.Fprintf(out, "driver: %s\n", r.described.profile.Driver)
	if r.kubeconfig == "" {
		if err := r.prepare(ctx); err != nil {
			return err
		}
		fmt.Fprintf(out, "cluster: one of layout %s with Kubernetes %s, created for the run\n", r.environment.Layout, r.environment.Kubernetes)
	} else {
		if r.workload == "" {
			return errNoWorkload()
		}
		config, err := existing.Connect(ctx, r.kubeconfig)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "cluster: %s\n", config.Host)
	}
	return printPlan(out, r.cases, clusterCases(), "What the cluster or the profile does not allow is skipped.")
}

// errNoWorkload is that a cluster of others is named without what pods run there.
func errNoWorkload() error {
	return errors.New("--kubeconfig needs --workload-image: the image that the cases' pods run, which the cluster can pull")
}

func printPlan(out io.Writer, options runner.Options, all []runner.Listed, besides string) error {
	chosen, err := options.Choose(all)
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	printCases(out, chosen)
	_, err = fmt.Fprintf(out, "Nothing was run, as --dry-run asks. %s\n", besides)
	return err
}
