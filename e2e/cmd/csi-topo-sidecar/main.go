// SPDX-License-Identifier: Apache-2.0

// Command csi-topo-sidecar runs in the suite's pods: as the recording proxy between a driver and its callers, as the relay
// that connects the suite to sockets, and as a driver on nodes whose volumes are directories. It is small, for images, and
// independent of Kubernetes.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/e2e/internal/proxy"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newRootCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "csi-topo-sidecar:", err)
		stop()
		os.Exit(1)
	}
}

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "csi-topo-sidecar",
		Short:         "Stand between a CSI driver and its callers",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(proxy.NewProxy(), newRelayCommand(), newDirectoriesCommand())
	return root
}
