// SPDX-License-Identifier: Apache-2.0

// Package layout describes the shape of a test cluster: regions, zones, and the number of nodes in each, as YAML. It does
// not know how a cluster is created.
package layout

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

//go:embed *.yaml
var known embed.FS

// Layout is the shape of a cluster. In addition to the nodes of its zones, a cluster has one control-plane node, which is
// in no zone.
type Layout struct {
	// Name is the file's name without its extension.
	Name string `json:"-"`

	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Regions    []Region `json:"regions"`
}

// Region is a region and its zones.
type Region struct {
	Name  string `json:"name"`
	Zones []Zone `json:"zones"`
}

// Zone is a zone and the number of its nodes.
type Zone struct {
	Name  string `json:"name"`
	Nodes int    `json:"nodes"`
}

// Node is the location of one worker node.
type Node struct{ Region, Zone string }

// Known returns the names of the layouts in this package.
func Known() []string {
	files, _ := fs.Glob(known, "*.yaml") // The pattern is valid, which is its only error.
	names := make([]string, 0, len(files))
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file, ".yaml"))
	}
	return names
}

// Load reads a known layout by its name, or any other layout by its file name, which ends in ".yaml".
func Load(nameOrFile string) (*Layout, error) {
	content, err := read(nameOrFile)
	if err != nil {
		return nil, err
	}
	l := &Layout{Name: strings.TrimSuffix(path.Base(nameOrFile), ".yaml")}
	if err := yaml.UnmarshalStrict(content, l); err != nil {
		return nil, fmt.Errorf("layout %s: %w", nameOrFile, err)
	}
	if err := l.validate(); err != nil {
		return nil, fmt.Errorf("layout %s: %w", nameOrFile, err)
	}
	return l, nil
}

func read(nameOrFile string) ([]byte, error) {
	if strings.HasSuffix(nameOrFile, ".yaml") {
		content, err := os.ReadFile(nameOrFile)
		if err != nil {
			return nil, fmt.Errorf("reading a layout file: %w", err)
		}
		return content, nil
	}
	content, err := known.ReadFile(nameOrFile + ".yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("unknown layout %q: known are %s; a file of your own ends in .yaml", nameOrFile, strings.Join(Known(), ", "))
	}
	return content, err
}

// Nodes lists the worker nodes, in the order of the file.
func (l *Layout) Nodes() []Node {
	var nodes []Node
	for _, region := range l.Regions {
		for _, zone := range region.Zones {
			for range zone.Nodes {
				nodes = append(nodes, Node{Region: region.Name, Zone: zone.Name})
			}
		}
	}
	return nodes
}

func (l *Layout) validate() error {
	if l.APIVersion != "csi-topo/v1alpha1" || l.Kind != "ClusterLayout" {
		return fmt.Errorf("want apiVersion csi-topo/v1alpha1 and kind ClusterLayout, found %q and %q", l.APIVersion, l.Kind)
	}
	if len(l.Regions) == 0 {
		return errors.New("want at least one region, found none")
	}
	var seen []string
	for _, region := range l.Regions {
		if err := validName("region", region.Name); err != nil {
			return err
		}
		if len(region.Zones) == 0 {
			return fmt.Errorf("region %s: want at least one zone, found none", region.Name)
		}
		for _, zone := range region.Zones {
			if err := validName("zone", zone.Name); err != nil {
				return err
			}
			if zone.Nodes < 1 {
				return fmt.Errorf("zone %s: want at least one node, found %d", zone.Name, zone.Nodes)
			}
			// Workloads select a zone by its name alone, as most of Kubernetes does.
			if slices.Contains(seen, zone.Name) {
				return fmt.Errorf("zone %s: want a unique name for every zone, found this one twice", zone.Name)
			}
			seen = append(seen, zone.Name)
		}
	}
	return nil
}

// validName returns an error unless both Kubernetes and the CSI specification (TO-09, TO-10) accept the name as a
// topology value.
func validName(what, name string) error {
	if name == "" {
		return fmt.Errorf("want a name for every %s, found none", what)
	}
	if problems := validation.IsValidLabelValue(name); len(problems) > 0 {
		return fmt.Errorf("%s %q: %s", what, name, strings.Join(problems, "; "))
	}
	return nil
}

// Shape returns the layout as YAML in a canonical form.
func (l *Layout) Shape() (string, error) {
	shape, err := yaml.Marshal(l)
	if err != nil {
		return "", fmt.Errorf("layout %s: %w", l.Name, err)
	}
	return string(shape), nil
}
