package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/csi-topo/csi-topo/clusters/install"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

// clusterProfile is the profile of the driver that a cluster has, and what it says of installing it.
type clusterProfile struct {
	name    string
	profile profile.Profile
	driver  install.Driver
}

// addTo gives a command that installs a driver, or runs cases on it, the flag that says which.
func (p *clusterProfile) addTo(command *cobra.Command) {
	command.Flags().StringVar(&p.name, "profile", profile.Reference,
		"what the vendor says of the driver: a YAML `file`, or one of "+strings.Join(profile.KnownNames(), ", "))
	completeProfiles(command)
}

// read reads the profile for a program that runs in the directory.
func (p *clusterProfile) read(dir string) (err error) {
	if p.profile, err = fromFile(p.name, ""); err != nil {
		return err
	}
	if p.profile.Cluster == nil {
		return fmt.Errorf("the profile %s has no cluster section: want cluster.topology.zone in it, the driver's topology key for zones", p.name)
	}
	p.driver = installation(p.profile, directoryOf(p.name, dir))
	return nil
}

// directoryOf is where the paths of a profile begin: in its own directory. Those of a profile that csi-topo comes with begin
// in the checkout, without which no cluster is made.
func directoryOf(name, dir string) string {
	switch {
	case filepath.IsAbs(name):
		return filepath.Dir(name)
	case profile.IsFile(name):
		return filepath.Join(dir, filepath.Dir(name))
	}
	source, err := nodeimage.Source(dir)
	if err != nil {
		source = dir // making a cluster says so
	}
	return filepath.Join(source, "fixtures", "profiles")
}

// installation is what the profile says of installing its driver, with paths from the directory on.
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
