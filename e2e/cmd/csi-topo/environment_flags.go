// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

// addEnvironmentFlags adds the flags that name the cluster to a command.
func addEnvironmentFlags(command *cobra.Command, o *environment.Options) {
	flags := command.Flags()
	flags.StringVar(&o.Layout, "layout", "zones", "regions, zones and nodes: a known layout, or a file whose name ends in .yaml")
	flags.StringVar(&o.Name, "name", "", "name of the cluster (default \""+environment.DefaultName+"\", or a new name if that is in use)")
	completeLayouts(command)
	addImageFlags(command, o)
}

// addImageFlags adds the flags that select the images to a command that builds or pulls them.
func addImageFlags(command *cobra.Command, o *environment.Options) {
	flags := command.Flags()
	flags.StringVar(&o.Kubernetes, "kubernetes", nodeimage.DefaultMinor, "minor version of Kubernetes")
	flags.StringVar(&o.Images, "images", "auto", "where images come from: pull, build, or auto (build if no registry can be reached)")
	flags.StringVar(&o.Prefix, "image-prefix", "", "pull images from below this `registry/path` instead of docker.io and registry.k8s.io")
	completeFlag(command, "images", words("auto", "build", "pull"))
}

// withSource completes the options with the source of images.
func withSource(ctx context.Context, o environment.Options) (environment.Options, error) {
	dir, err := os.Getwd()
	if err != nil {
		return o, fmt.Errorf("finding the current directory: %w", err)
	}
	o.Source, err = nodeimage.Source(ctx, dir)
	return o, err
}
