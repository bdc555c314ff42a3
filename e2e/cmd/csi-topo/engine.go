// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/engine"
)

func newEngineCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "engine",
		Short:   "Manage the container engine that csi-topo starts if it can reach no other",
		Example: `  csi-topo engine down`,
	}, &cobra.Command{
		Use:     "down",
		Short:   "Stop the engine with all of its containers; images stay in the cache",
		Example: `  csi-topo engine down`,
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return engine.Down(command.Context(), engine.Options{Out: command.OutOrStdout()})
		},
	})
}
