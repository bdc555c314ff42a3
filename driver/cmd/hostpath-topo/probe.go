// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/driver/health"
)

func newProbeCommand() *cobra.Command {
	var endpoint string
	var timeout time.Duration
	command := &cobra.Command{
		Use:   "probe",
		Short: "Ask a plugin whether it is ready",
		Long: `Calls Identity.Probe at the socket of a plugin. It exits with 0 if the plugin says
that it is ready, and with 1 and the reason if not. It is for the probes of a pod,
for which the plugin then needs no TCP port.`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(command.Context(), timeout)
			defer cancel()
			return health.Probe(ctx, endpoint)
		},
	}
	command.Flags().StringVar(&endpoint, "endpoint", defaultEndpoint, "unix socket of the plugin, as unix:///absolute/path")
	command.Flags().DurationVar(&timeout, "timeout", 5*time.Second, "how long the plugin may take to answer")
	return command
}
