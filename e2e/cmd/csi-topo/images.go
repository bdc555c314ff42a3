// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

func newImagesCommand() *cobra.Command {
	options := environment.Options{Layout: "zones"}
	var workload, suite, driver string
	var list bool
	command := &cobra.Command{
		Use:   "images",
		Short: "Pull or build the images that a cluster needs, and keep them in the cache",
		Example: `  csi-topo images --kubernetes 1.36
  csi-topo images --list --image-prefix registry.example.com/mirror
  csi-topo images --push-workload registry.example.com/csi-topo-workload:v1 --push-csi-topo registry.example.com/csi-topo:v1`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if list {
				return listImages(command.OutOrStdout(), options)
			}
			options, err := withSource(command.Context(), options)
			if err != nil {
				return err
			}
			options.Out = command.OutOrStdout()
			if workload == "" && suite == "" && driver == "" {
				return environment.EnsureImages(command.Context(), options)
			}
			if workload != "" {
				err = environment.PushWorkload(command.Context(), options, workload)
			}
			if err == nil && suite != "" {
				err = environment.PushSuite(command.Context(), options, suite)
			}
			if err == nil && driver != "" {
				program := nodeimage.Program{Dir: filepath.Join(options.Source, "driver", "cmd", "hostpath-topo")}
				err = environment.PushProgram(command.Context(), options, program, driver)
			}
			return err
		},
	}
	addImageFlags(command, &options)
	flags := command.Flags()
	flags.StringVar(&workload, "push-workload", "", "build the `image` of the cases' pods, and push it under this name, for --workload-image on clusters that others use")
	flags.StringVar(&suite, "push-csi-topo", "", "build the `image` of csi-topo itself, and push it under this name, for csi-topo job")
	flags.StringVar(&driver, "push-driver", "", "build the `image` of the reference driver, and push it under this name, for fixtures/driver/standalone on clusters that others use")
	flags.BoolVar(&list, "list", false, "print the images that a cluster needs, and with --image-prefix their names there too, without pulling any")
	for _, push := range []string{"push-workload", "push-csi-topo", "push-driver"} {
		command.MarkFlagsMutuallyExclusive("list", push)
	}
	return command
}

// listImages prints the published images, one per line: their names and, with a prefix, the references that are pulled.
func listImages(out io.Writer, o environment.Options) error {
	if err := nodeimage.CheckPrefix(o.Prefix); err != nil {
		return err
	}
	images, err := nodeimage.Published().For(o.Kubernetes)
	if err != nil {
		return err
	}
	for _, image := range images {
		if o.Prefix != "" {
			image += " " + nodeimage.Mirrored(image, o.Prefix)
		}
		fmt.Fprintln(out, image)
	}
	return nil
}
