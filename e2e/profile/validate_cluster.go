// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
)

// validateCluster returns all problems of the cluster section, if there is one.
func (p Profile) validateCluster() []problem {
	if p.Cluster == nil {
		return nil
	}
	c := *p.Cluster
	found := slices.Concat(c.Install.validate(), c.validateImages(), c.validateReady(), c.Topology.validate(), c.validateDisturb(),
		p.validatePools(), validateSocket("controller", c.Controller), validateSocket("node", c.Node))
	if kind := c.ReadWriteMany; kind != nil && kind.AccessMode != 0 && kind.Mode() != manyNodes {
		found = append(found, problem{[]any{"cluster", "readWriteMany", "accessMode"}, fmt.Sprintf("accessMode is %s: want %s, or nothing for the same", kind.Mode(), manyNodes)})
	}
	if c.FileSystemBytes < 0 || c.FileSystemBytes > 0 && c.FileSystemBytes < p.VolumeBytes {
		found = append(found, problem{[]any{"cluster", "fileSystemBytes"}, fmt.Sprintf(
			"fileSystemBytes is %d: want a number of bytes that is larger than volumeBytes, %d, or nothing for the same", c.FileSystemBytes, p.VolumeBytes)})
	}
	return found
}

func (i Install) validate() []problem {
	var ways []string
	for _, way := range []struct {
		name  string
		given bool
	}{{"kustomization", i.Kustomization != ""}, {"manifests", i.Manifests != ""}, {"command", len(i.Command) > 0}} {
		if way.given {
			ways = append(ways, way.name)
		}
	}
	var found []problem
	if len(ways) > 1 {
		found = append(found, problem{[]any{"cluster", "install"}, fmt.Sprintf("install has %s: want one of them", strings.Join(ways, " and "))})
	}
	if i.WithoutRegistry != "" && i.Kustomization == "" {
		found = append(found, problem{[]any{"cluster", "install", "withoutRegistry"}, "withoutRegistry is set without kustomization, which it replaces: want both"})
	}
	if len(i.Command) > 0 && i.Command[0] == "" {
		found = append(found, problem{[]any{"cluster", "install", "command", 0}, "the command is empty: want a program"})
	}
	return found
}

func (c Cluster) validateImages() []problem {
	var found []problem
	for i, image := range c.Images {
		at := []any{"cluster", "images", i}
		switch {
		case (image.Archive == "") == (image.Program == ""):
			found = append(found, problem{at, "the image needs either archive, a file that `docker save` wrote, or program, the directory of a Go program"})
		case (image.Program == "") != (image.Name == ""):
			found = append(found, problem{at, "the image has only one of program and name: want both, as the manifests call the image by its name; an archive has its own names"})
		case image.LDFlags != "" && image.Program == "":
			found = append(found, problem{at, "the image has ldflags without program, which they are for: want both"})
		}
	}
	return found
}

func (c Cluster) validateReady() []problem {
	kinds := []string{"Deployment", "StatefulSet", "DaemonSet"}
	var found []problem
	for i, workload := range c.Ready {
		if !slices.Contains(kinds, workload.Kind) {
			found = append(found, problem{[]any{"cluster", "ready", i, "kind"}, fmt.Sprintf("kind is %q: want %s", workload.Kind, strings.Join(kinds, ", "))})
		}
		found = append(found, missing([]any{"cluster", "ready", i}, field{"namespace", workload.Namespace}, field{"name", workload.Name})...)
	}
	return found
}

func (t Topology) validate() []problem {
	var found []problem
	at := []any{"cluster", "topology"}
	if t.Zone == "" {
		found = append(found, problem{append(at, "zone"), "topology has no zone: want the driver's topology key for zones, such as topology.example.com/zone"})
	}
	for _, key := range []field{{"zone", t.Zone}, {"region", t.Region}} {
		if wrong := validation.IsQualifiedName(key.value); key.value != "" && len(wrong) > 0 {
			found = append(found, problem{append(slices.Clone(at), key.name), fmt.Sprintf("%s is %q, which is not a label key: %s", key.name, key.value, strings.Join(wrong, "; "))})
		}
	}
	if t.Zone != "" && t.Zone == t.Region {
		found = append(found, problem{append(slices.Clone(at), "region"), fmt.Sprintf("region and zone are both %q: want two keys, or no region", t.Zone)})
	}
	return found
}

func (c Cluster) validateDisturb() []problem {
	if c.Disturb == nil {
		return nil
	}
	var found []problem
	for i, what := range *c.Disturb {
		if !slices.Contains(Disturbances(), what) {
			found = append(found, problem{[]any{"cluster", "disturb", i}, fmt.Sprintf("%q is not something that a run may disturb: want %s, %s or %s", what, Nodes, DriverPods, AllCapacity)})
		}
	}
	return found
}

func (p Profile) validatePools() []problem {
	var found []problem
	pools := p.Cluster.Pools
	if len(pools) > 0 && !p.Capacity.Exact() {
		found = append(found, problem{[]any{"cluster", "pools"}, "pools are set without capacity: exact, which shows whether a case gave back what it took: want both"})
	}
	for i, pool := range pools {
		at := []any{"cluster", "pools", i}
		if len(pool) == 0 {
			found = append(found, problem{at, "the pool is empty: want StorageClass parameters, such as {pool: fast}"})
		}
		if slices.ContainsFunc(pools[:i], func(other map[string]string) bool { return maps.Equal(other, pool) }) {
			found = append(found, problem{at, "the pool is listed twice: want parameters that choose another one"})
		}
	}
	return found
}

func validateSocket(name string, socket *Socket) []problem {
	if socket == nil {
		return nil
	}
	at := []any{"cluster", name}
	found := missing(at, field{"namespace", socket.Namespace}, field{"selector", socket.Selector}, field{"volume", socket.Volume}, field{"path", socket.Path})
	if _, err := labels.Parse(socket.Selector); err != nil {
		found = append(found, problem{append(slices.Clone(at), "selector"), fmt.Sprintf("selector is %q, which is not a label selector: %v", socket.Selector, err)})
	}
	for _, inside := range []field{{"path", socket.Path}, {"control", socket.Control}} {
		if inside.value != "" && (path.IsAbs(inside.value) || path.Clean(inside.value) != inside.value || strings.HasPrefix(inside.value, "..")) {
			found = append(found, problem{append(slices.Clone(at), inside.name), fmt.Sprintf("%s is %q: want the socket's path inside the volume, such as csi.sock", inside.name, inside.value)})
		}
	}
	return found
}

// field is a field of a profile, by its name.
type field struct{ name, value string }

// missing returns a problem for each of the fields that is empty.
func missing(at []any, fields ...field) []problem {
	var found []problem
	for _, f := range fields {
		if f.value == "" {
			found = append(found, problem{at, fmt.Sprintf("%s is missing", f.name)})
		}
	}
	return found
}
