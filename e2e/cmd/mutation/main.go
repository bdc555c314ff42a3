// SPDX-License-Identifier: Apache-2.0

// Command mutation runs the spec tier, and with --all csi-sanity, against every driver of e2e/mutation/catalogue, and
// writes which driver was caught by whom into mutation.yaml, mutation.md and mutation.html. `make mutation` runs it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
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
	var o options
	command := &cobra.Command{
		Use:           "mutation",
		Short:         "Run the spec tier against every wrong and every right driver",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, _ []string) error {
			return o.run(command.Context(), command.OutOrStdout())
		},
	}
	command.PersistentFlags().IntVar(&o.parallel, "parallel", 2*runtime.NumCPU(), "how many suites run concurrently, in addition to twice as many that mostly wait")
	flags := command.Flags()
	flags.StringVar(&o.reportDir, "report-dir", "_report", "directory that gets mutation.yaml, mutation.md and mutation.html")
	flags.StringVar(&o.focus, "focus", "", "run only the drivers whose id this regular expression matches")
	flags.BoolVar(&o.all, "all", false, "also run csi-sanity, and all cases combinations_* against each right driver, as --focus does")
	command.AddCommand(newOneCommand(), newSeedsCommand(&o))
	return command
}
