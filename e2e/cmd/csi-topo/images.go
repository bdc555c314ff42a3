package main

import (
	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
)

func newImagesCommand() *cobra.Command {
	options := environment.Options{Layout: "zones"}
	push := ""
	command := &cobra.Command{
		Use:   "images",
		Short: "Pull or build the images that a cluster needs, and keep them in the cache",
		Example: `  csi-topo images --kubernetes 1.36
  csi-topo images --push-workload registry.example.com/csi-topo-workload:v1`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			options, err := withSource(command.Context(), options)
			if err != nil {
				return err
			}
			options.Out = command.OutOrStdout()
			if push != "" {
				return environment.PushWorkload(command.Context(), options, push)
			}
			return environment.EnsureImages(command.Context(), options)
		},
	}
	addImageFlags(command, &options)
	command.Flags().StringVar(&push, "push-workload", "", "make the `image` that the cases' pods run, and no other, and push it under this name, for --workload-image on clusters that others use")
	return command
}
