// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Command hostpath-topo is the reference CSI driver: its controller plugin, its node plugin, and a probe of either. It
// contains only flags and wiring.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
	"k8s.io/klog/v2"
)

func main() {
	os.Exit(run(os.Args[1:], toCluster))
}

// run runs the program with these arguments, and returns its exit status.
func run(arguments []string, connect connect) int {
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGTERM, unix.SIGINT)
	defer stop()
	defer klog.Flush()
	command := newCommand(connect)
	command.SetArgs(arguments)
	if err := command.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "hostpath-topo:", err)
		return 1
	}
	return 0
}

func newCommand(connect connect) *cobra.Command {
	logging := newLogging()
	root := &cobra.Command{
		Use:   "hostpath-topo",
		Short: "A CSI driver whose volumes are in topology segments of the cluster",
		Long: `hostpath-topo is a CSI driver whose volumes are image files and directories in a
directory that all nodes share, each accessible only from the regions and zones it
was placed in. One controller plugin runs in the cluster, and a node plugin on each
node.`,
		Version:           version(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return logging.apply() },
	}
	logging.add(root.PersistentFlags())
	root.AddCommand(newControllerCommand(connect), newNodeCommand(connect), newLocalCommand(connect), newProbeCommand())
	return root
}

// version returns the version of the module or, in a build of a work tree, its commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return setting.Value
		}
	}
	return info.Main.Version
}
