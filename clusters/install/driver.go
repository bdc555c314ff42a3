// SPDX-License-Identifier: Apache-2.0

// Package install installs a CSI driver in a cluster and waits until every node has it. It knows neither particular
// drivers nor how the cluster was created.
package install

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/clusters/nodeimage"
)

// Driver is a CSI driver, and one of three ways to install it: a kustomization, manifests or a command; without any of
// them, it is already installed. All paths are absolute.
type Driver struct {
	// Name is the driver's CSI name.
	Name string
	// Kustomization is a directory, and WithoutRegistry the directory to use if no registry serves images to the nodes;
	// empty if both are the same.
	Kustomization, WithoutRegistry string
	// Manifests is a file of YAML documents, or a directory of such files.
	Manifests string
	// Command is a program with its arguments, which runs in Dir with KUBECONFIG set.
	Command []string
	Dir     string
	// Archives are files with images for every node, as `docker save` writes them.
	Archives []string
	// Programs maps the images in the manifests to the programs that they are built from.
	Programs map[string]nodeimage.Program
	// Ready are the workloads to wait for; if empty, the workloads of the manifests.
	Ready []Workload
}

// Workload is a Deployment, a StatefulSet or a DaemonSet.
type Workload struct{ Kind, Namespace, Name string }

func (w Workload) String() string { return fmt.Sprintf("%s %s/%s", w.Kind, w.Namespace, w.Name) }

// Installs reports whether there is anything to install.
func (d Driver) Installs() bool { return d.source() != "" }

// source describes the source of the driver's objects; two drivers with the same name and source are installed in the
// same way.
func (d Driver) source() string {
	switch {
	case d.Kustomization != "":
		return "by the kustomization " + d.Kustomization
	case d.Manifests != "":
		return "by the manifests in " + d.Manifests
	case len(d.Command) > 0:
		return fmt.Sprintf("by the command %s in %s", strings.Join(d.Command, " "), d.Dir)
	default:
		return ""
	}
}

// Check returns an error if a file or directory that the driver names is missing.
func (d Driver) Check() error {
	for _, dir := range []string{d.Kustomization, d.WithoutRegistry} {
		if dir != "" && !slices.ContainsFunc(kustomizationFiles(), func(name string) bool { return exists(filepath.Join(dir, name)) }) {
			return fmt.Errorf("driver %s is installed by the kustomization %s, which does not exist: want a directory with a kustomization.yaml", d.Name, dir)
		}
	}
	if d.Manifests != "" && !exists(d.Manifests) {
		return fmt.Errorf("driver %s is installed by the manifests in %s, which does not exist: want a YAML file, or a directory of YAML files", d.Name, d.Manifests)
	}
	for _, archive := range d.Archives {
		if info, err := os.Stat(archive); err != nil || !info.Mode().IsRegular() {
			return fmt.Errorf("driver %s needs the image archive %s, which does not exist: want a file that `docker save` wrote", d.Name, archive)
		}
	}
	for name, program := range d.Programs {
		if sources, _ := filepath.Glob(filepath.Join(program.Dir, "*.go")); len(sources) == 0 {
			return fmt.Errorf("driver %s needs the image %s, and the program to build it from is not in %s: want a directory with the Go files of a program", d.Name, name, program.Dir)
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// recordOf returns the file in a cluster's directory that records how a driver was installed.
func recordOf(dir, driver string) string { return filepath.Join(dir, "driver-"+driver) }

// CheckSame returns an error if the driver was installed in another way in the cluster with that directory: both at once
// would serve one CSI driver twice.
func (d Driver) CheckSame(dir string) error {
	way, err := os.ReadFile(recordOf(dir, d.Name))
	switch {
	case os.IsNotExist(err) || !d.Installs():
		return nil
	case err != nil:
		return fmt.Errorf("reading how driver %s was installed: %w", d.Name, err)
	case string(way) != d.source():
		return fmt.Errorf("driver %s was installed %s, and should now be installed %s", d.Name, way, d.source())
	default:
		return nil
	}
}

// Record records how the driver is installed, for CheckSame.
func (d Driver) Record(dir string) error {
	if err := os.WriteFile(recordOf(dir, d.Name), []byte(d.source()), fs.FileMode(0o644)); err != nil {
		return fmt.Errorf("recording how driver %s is installed: %w", d.Name, err)
	}
	return nil
}
