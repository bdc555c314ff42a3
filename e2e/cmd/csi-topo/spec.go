package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/runner"
	"github.com/csi-topo/csi-topo/e2e/spec"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const (
	// runLetters are enough for runs on one driver not to meet.
	runLetters = 8
	// maxVolumesPerNode is the embedded driver's, so that cases can reach it.
	maxVolumesPerNode = 8
)

func newSpecCommand() *cobra.Command {
	options := runner.Options{Tier: "spec"}
	command := &cobra.Command{
		Use:   "spec",
		Short: "Run the cases that need no cluster, over gRPC",
		Long: `Run the cases that need no cluster: every example of the CSI specification's topology requirement, asked over gRPC.
The driver is the reference driver, started in this process with four zones and volumes in memory.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			options.Out = command.OutOrStdout()
			return runSpec(command.Context(), options)
		},
	}
	addRunFlags(command, &options)
	return command
}

func runSpec(ctx context.Context, options runner.Options) (err error) {
	if err := options.Validate(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "csi-topo-")
	if err != nil {
		return fmt.Errorf("making a directory for the driver's sockets: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	// After an interrupt the cases still take their volumes back, so the driver must outlive the context.
	driver, err := embedded.Start(context.WithoutCancel(ctx), embedded.Options{Dir: dir, MaxVolumesPerNode: maxVolumesPerNode})
	if err != nil {
		return fmt.Errorf("starting the reference driver: %w", err)
	}
	defer func() { err = errors.Join(err, driver.Stop()) }()

	connections, err := connect(driver)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, connections.close()) }()
	target, err := connections.target()
	if err != nil {
		return err
	}
	target.Run = strings.ToLower(rand.Text()[:runLetters])
	target.Paths = harness.LocalPaths(filepath.Join(dir, "node"))

	options.Describe = func(r *report.ConformanceReport) { connections.describe(ctx, r) }
	result, err := runner.Run(ctx, options, func() { spec.Register(target) })
	if err != nil {
		return err
	}
	return ended(result)
}
