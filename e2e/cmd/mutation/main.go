// SPDX-License-Identifier: Apache-2.0

// Command mutation runs the spec tier and csi-sanity against every driver of e2e/mutation/catalogue, and writes which
// driver was caught by whom into mutation.yaml and docs/proof.md. `make mutation` runs it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/mutation/proof"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	o := options{Document: proof.Document{Correct: "make mutation UPDATE=1"}}
	command := &cobra.Command{
		Use:           "mutation",
		Short:         "Run the spec tier and csi-sanity against every wrong and every right driver",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			if o.focus != "" && (o.Update || o.Check) {
				return errors.New("--focus with --update or --check: docs/proof.md is of all drivers; leave one of them out")
			}
			return o.run(command.Context(), command.OutOrStdout())
		},
	}
	command.PersistentFlags().IntVar(&o.parallel, "parallel", 2*runtime.NumCPU(), "how many suites run at once")
	flags := command.Flags()
	flags.StringVar(&o.ReportDir, "report-dir", "_report", "directory that gets mutation.yaml and mutation.html")
	flags.StringVar(&o.Path, "document", "docs/proof.md", "the document of --check and --update")
	flags.StringVar(&o.focus, "focus", "", "run only the drivers whose id this regular expression matches")
	flags.BoolVar(&o.Check, "check", false, "fail if the document says anything else than the run, seconds apart")
	flags.BoolVar(&o.Update, "update", false, "write the document")
	command.AddCommand(newOneCommand(), newSeedsCommand(&o))
	return command
}
