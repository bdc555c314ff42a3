//go:build linux

// Command hostpath-topo is the reference CSI driver: its controller plugin and
// its node plugin. It holds flags and wiring only.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
	"k8s.io/klog/v2"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGTERM, unix.SIGINT)
	err := newCommand().ExecuteContext(ctx)
	stop()
	klog.Flush()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostpath-topo:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "hostpath-topo",
		Short: "A CSI driver whose volumes are in topology segments of the cluster",
		Long: `hostpath-topo is a CSI driver whose volumes are image files in a directory that
all nodes share, each accessible only from the regions and zones it was placed
in. One controller plugin runs in the cluster, and a node plugin on each node.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	logging := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(logging)
	root.PersistentFlags().AddGoFlag(logging.Lookup("v"))
	root.AddCommand(newControllerCommand(), newNodeCommand())
	return root
}

// version is the version of the module or, in a build of a work tree, its commit.
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
