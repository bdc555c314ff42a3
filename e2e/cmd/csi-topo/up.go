// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
)

func newUpCommand() *cobra.Command {
	var options environment.Options
	var logs string
	var described clusterProfile
	command := &cobra.Command{
		Use:   "up",
		Short: "Create a cluster with the driver of a profile, and leave it running",
		Example: `  csi-topo up --layout zones --kubernetes 1.36
  csi-topo up --profile my.yaml --name mine`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := described.read(); err != nil {
				return err
			}
			options, err := described.install(command.Context(), options)
			if err != nil {
				return err
			}
			options.Out = command.OutOrStdout()
			up, err := environment.Up(command.Context(), options, logs)
			if err != nil {
				return err
			}
			up.Progress.Printf("cluster %s is up: export KUBECONFIG=%s", up.Name, up.Kubeconfig)
			return up.Down(command.Context(), true)
		},
	}
	addEnvironmentFlags(command, &options)
	described.addTo(command)
	command.Flags().StringVar(&logs, "logs-dir", "_report/logs", "keep the cluster's logs here if it does not start")
	return command
}
