// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/csi-topo/csi-topo/e2e/internal/session"
	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// addDryRunFlag adds the flag that runs none of the cases.
func addDryRunFlag(flags *pflag.FlagSet, dryRun *bool) {
	flags.BoolVar(dryRun, "dry-run", false, "check the flags, the profile, and whether the driver or the cluster can be reached, and print the cases that would run, without running any or changing anything")
}

// plan prints the planned run, once the driver has returned its name and its nodes' topology.
func (r specRun) plan(ctx context.Context) (err error) {
	out := r.Cases.Out
	opened, err := spec.Open(ctx, r.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	driver := opened.Driver()
	if r.embedded {
		fmt.Fprintln(out, "driver: the reference driver, in this process")
	} else {
		fmt.Fprintf(out, "driver: %q at %s\n", driver.Name, driver.ControllerTarget)
	}
	for _, node := range driver.Nodes {
		fmt.Fprintf(out, "node: %q at %s, in %q\n", node.Info.GetNodeId(), node.Target, model.Segment(node.Info.GetAccessibleTopology().GetSegments()))
	}
	fmt.Fprintf(out, "concurrent cases: %d\nvolumes of %d bytes\n", opened.Parallel(), opened.Profile().VolumeBytes)
	return printPlan(out, r.Cases, specCases(), "Cases about capabilities that the driver does not claim are skipped, and csi-sanity's cases run as well.")
}

// plan prints the planned run, once the cluster has answered, or everything that is needed to create one exists.
func (r clusterRun) plan(ctx context.Context) error {
	out := r.Cases.Out
	fmt.Fprintf(out, "driver: %s\n", r.described.profile.Driver)
	if !r.onOthers() {
		if err := r.prepare(ctx); err != nil {
			return err
		}
		fmt.Fprintf(out, "cluster: one of layout %s with Kubernetes %s, created for the run\n", r.environment.Layout, r.environment.Kubernetes)
	} else {
		config, err := r.Connect(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "cluster: %s\n", config.Host)
	}
	return printPlan(out, r.Cases, clusterCases(), "What the cluster or the profile does not allow is skipped.")
}

func printPlan(out io.Writer, options suite.Options, all []suite.Listed, besides string) error {
	chosen, err := session.Choose(options, all)
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	printCases(out, chosen)
	_, err = fmt.Fprintf(out, "Nothing was run, because of --dry-run. %s\n", besides)
	return err
}
