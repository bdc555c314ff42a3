// SPDX-License-Identifier: Apache-2.0

// Command mutation-cluster is the counterpart of the command mutation for the cluster tier: it runs the cases, and
// Kubernetes' external-storage suite, against the faulty components of e2e/mutation/deployed, and writes the findings into
// mutation.yaml, mutation.md and mutation.html. `make mutation-cluster` runs it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "mutation-cluster:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:           "mutation-cluster",
		Short:         "Run the cluster tier, and Kubernetes' external-storage suite, on a cluster, against deliberate faults",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			o.out = command.OutOrStdout()
			return o.run(command.Context())
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.reportDir, "report-dir", "_report", "directory that gets mutation.yaml, mutation.md, mutation.html, and a report for each fault")
	flags.StringVar(&o.focus, "focus", "", "run only the faults whose id this regular expression matches")
	flags.BoolVar(&o.missing, "missing", false, "continue an earlier run: keep what mutation.yaml in the report directory says, and try only the rest")
	flags.StringVar(&o.program, "csi-topo", "_bin/csi-topo", "the program that runs the cluster tier")
	flags.StringVar(&o.suite, "kubernetes-suite", "", "the program that e2e/mutation/kubernetes is built to; empty leaves it out")
	flags.StringVar(&o.testDriver, "testdriver", "fixtures/external-storage/hostpath-topo.yaml", "that suite's test-driver file")
	flags.StringVar(&o.name, "name", "csi-topo-wrong", "name of the cluster, which is created unless it runs")
	flags.BoolVar(&o.keep, "keep", false, "leave the cluster running")
	return command
}
