// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/clusters/install"
	"github.com/csi-topo/csi-topo/clusters/layout"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// clusterProfile is the profile of the driver on a cluster.
type clusterProfile struct {
	name    string
	profile profile.Profile
}

// addTo adds the flag for the profile to a command that installs a driver, or runs cases on it.
func (p *clusterProfile) addTo(command *cobra.Command) {
	command.Flags().StringVar(&p.name, "profile", profile.Reference,
		"the profile, in which the vendor describes the driver: a YAML `file`, or one of "+strings.Join(profile.KnownNames(), ", "))
	completeProfiles(command)
}

// read reads the profile.
func (p *clusterProfile) read() (err error) {
	if p.profile, err = fromFile(p.name); err != nil {
		return err
	}
	if err := cluster.HasSection(p.name, p.profile); err != nil {
		return err
	}
	return nil
}

// install completes the options with the driver's installation and the source of images.
func (p *clusterProfile) install(ctx context.Context, o environment.Options) (environment.Options, error) {
	if _, err := layout.Load(o.Layout); err != nil { // before errors that only a build can find
		return o, err
	}
	o, err := withSource(ctx, o)
	if err != nil {
		return o, err
	}
	from := filepath.Join(o.Source, "fixtures", "profiles")
	if profile.IsFile(p.name) {
		if from, err = filepath.Abs(filepath.Dir(p.name)); err != nil {
			return o, fmt.Errorf("finding the directory of the profile: %w", err)
		}
	}
	o.Driver = installation(p.profile, from)
	return o, nil
}

// installation returns the profile's section on installing its driver. Relative paths in it are resolved against dir.
func installation(described profile.Profile, dir string) install.Driver {
	from := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(dir, path)
	}
	cluster := described.Cluster
	driver := install.Driver{
		Name:            described.Driver,
		Kustomization:   from(cluster.Install.Kustomization),
		WithoutRegistry: from(cluster.Install.WithoutRegistry),
		Manifests:       from(cluster.Install.Manifests),
		Command:         cluster.Install.Command,
		Dir:             dir,
		Programs:        map[string]nodeimage.Program{},
	}
	for _, image := range cluster.Images {
		if image.Archive != "" {
			driver.Archives = append(driver.Archives, from(image.Archive))
		} else {
			driver.Programs[image.Name] = nodeimage.Program{Dir: from(image.Program), LDFlags: image.LDFlags}
		}
	}
	for _, workload := range cluster.Ready {
		driver.Ready = append(driver.Ready, install.Workload(workload))
	}
	return driver
}
