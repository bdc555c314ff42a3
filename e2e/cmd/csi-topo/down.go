// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
)

func newDownCommand() *cobra.Command {
	var options environment.Options
	command := &cobra.Command{
		Use:   "down",
		Short: "Delete a cluster that `up` created, or that a run kept",
		Example: `  csi-topo down
  csi-topo down --name mine`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			options.Out = command.OutOrStdout()
			return environment.Remove(command.Context(), options)
		},
	}
	command.Flags().StringVar(&options.Name, "name", environment.DefaultName, "name of the cluster")
	return command
}
