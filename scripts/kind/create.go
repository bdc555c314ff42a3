// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/clusters/engine"
	clusters "github.com/csi-topo/csi-topo/clusters/kind"
)

// create makes the cluster of the arguments of kind create cluster, and loads the images.
func create(ctx context.Context, host engine.Facts, args []string) error {
	var name, config string
	flags := pflag.NewFlagSet("kind create cluster", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.StringVar(&name, "name", "kind", "")
	flags.StringVar(&config, "config", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir := os.Getenv("KIND_IMAGES")
	node, err := os.ReadFile(filepath.Join(dir, nodeFile))
	built := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if built {
		if config, err = adapted(config, dir, host); err != nil {
			return err
		}
		args = append(args, "--config", config, "--image", string(node)) // the last one of a repeated flag counts
	}
	if err := kind(args); err != nil {
		return err
	}
	cluster := clusters.New(clusters.Options{Name: name, Dir: filepath.Dir(os.Getenv("KUBECONFIG")), Log: io.Discard})
	if built {
		if err := cluster.ConnectPods(ctx); err != nil {
			return err
		}
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tar"))
	if err != nil {
		return err
	}
	return cluster.LoadArchives(ctx, false, archives...)
}

// adapted writes a configuration with the settings for the host and a built node to a file in dir, and returns its path.
func adapted(config, dir string, host engine.Facts) (string, error) {
	content, err := os.ReadFile(config)
	if err != nil {
		return "", err
	}
	var cluster v1alpha4.Cluster
	if err := yaml.UnmarshalStrict(content, &cluster); err != nil {
		return "", fmt.Errorf("reading %s: %w", config, err)
	}
	clusters.Adapt(&cluster, clusters.Host{CgroupV1: host.CgroupV1, LacksSysResource: host.LacksSysResource}, true)
	if content, err = yaml.Marshal(cluster); err != nil {
		return "", err
	}
	config = filepath.Join(dir, "kind.yaml")
	return config, os.WriteFile(config, content, 0o644)
}
