package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
)

func newImagesCommand() *cobra.Command {
	options := environment.Options{Layout: "zones"}
	command := &cobra.Command{
		Use:   "images",
		Short: "Pull or build the images that a cluster needs, and keep them in the cache",
		Example: `  csi-topo images --kubernetes 1.36
  csi-topo images --images pull`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			options, err := withSource(command.Context(), options)
			if err != nil {
				return err
			}
			options.Out = command.OutOrStdout()
			return environment.EnsureImages(command.Context(), options)
		},
	}
	addImageFlags(command, &options)
	return command
}
