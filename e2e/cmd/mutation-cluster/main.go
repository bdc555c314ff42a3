// SPDX-License-Identifier: Apache-2.0

// Command mutation-cluster is for the cluster tier what the command mutation is for the spec tier: it runs the cases, and
// Kubernetes' external-storage suite, against what e2e/mutation/deployed has, and writes who noticed what into
// docs/proof-cluster.md. `make mutation-cluster` runs it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
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
	o := options{Document: proof.Document{Correct: "make mutation-cluster UPDATE=1"}}
	command := &cobra.Command{
		Use:           "mutation-cluster",
		Short:         "Run the cluster tier, and Kubernetes' external-storage suite, on a cluster against what is wrong there",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			switch {
			case o.focus != "" && o.Check:
				return errors.New("--focus with --check: the document is of all that is wrong; leave one of them out")
			case o.missing && !o.Update:
				return errors.New("--missing without --update: it is the document that lacks something; give both")
			case o.suite == "" && (o.Update || o.Check):
				return errors.New("--update or --check without --kubernetes-suite: the document has its column; build the suite as `make mutation-cluster` does")
			}
			o.out = command.OutOrStdout()
			return o.run(command.Context())
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.ReportDir, "report-dir", "_report", "directory that gets mutation.yaml, mutation.html, and a report for each that is wrong")
	flags.StringVar(&o.Path, "document", "docs/proof-cluster.md", "the document of --check and --update")
	flags.StringVar(&o.focus, "focus", "", "run only what has an id that this regular expression matches")
	flags.BoolVar(&o.Check, "check", false, "fail if the document says anything else than the run, seconds apart")
	flags.BoolVar(&o.Update, "update", false, "write what was tried into the document, which keeps what it says of all that has not changed since")
	flags.BoolVar(&o.missing, "missing", false, "with --update: try only that of which the document says nothing")
	flags.StringVar(&o.program, "csi-topo", "_bin/csi-topo", "the program that runs the cluster tier")
	flags.StringVar(&o.suite, "kubernetes-suite", "", "the program that e2e/mutation/kubernetes is built to; empty leaves it out")
	flags.StringVar(&o.testDriver, "testdriver", "fixtures/external-storage/hostpath-topo.yaml", "what that suite is told of the driver")
	flags.StringVar(&o.name, "name", "csi-topo-wrong", "name of the cluster, which is created unless it runs")
	flags.BoolVar(&o.keep, "keep", false, "leave the cluster running")
	return command
}
