// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Mode determines whether images are built or pulled.
type Mode string

// The modes.
const (
	// Auto pulls if a registry answers within a few seconds, and otherwise builds.
	Auto Mode = "auto"
	// Build always builds.
	Build Mode = "build"
	// Pull never builds a node or a sidecar.
	Pull Mode = "pull"
)

// ParseMode returns the mode s, or an error that names the modes.
func ParseMode(s string) (Mode, error) {
	modes := []Mode{Auto, Build, Pull}
	if !slices.Contains(modes, Mode(s)) {
		return "", fmt.Errorf("unknown image mode %q: want auto, build or pull", s)
	}
	return Mode(s), nil
}

// Images are all images that a cluster of one Kubernetes minor runs.
type Images struct {
	// Node is the node image's name in the container engine.
	Node string
	// Built reports whether the node image and the sidecars were built, not pulled. A built node has no pod network, and is
	// not used with published sidecars.
	Built bool
	// Workload is the name of the image that the cases' pods and the recording proxy run.
	Workload string
	// Programs maps the names of images in manifests to the images of programs.
	Programs map[string]string
	// Sidecars are needed on the nodes where a driver's pods run any of their images, EveryNode on all nodes.
	Sidecars, EveryNode []Archive
}

// Ensure builds or pulls the images that a cluster of the given minor needs, of its nodes, the sidecars and the given
// programs, which are keyed by the name of their image. It skips images that the cache or the engine already has.
func (b *Builder) Ensure(ctx context.Context, minor string, mode Mode, programs map[string]Program) (*Images, error) {
	if err := CheckMinor(minor); err != nil {
		return nil, err
	}
	published := Published()
	build, err := b.shouldBuild(ctx, published, minor, mode)
	if err != nil {
		return nil, err
	}
	images := &Images{Built: build, Programs: map[string]string{}}
	var tools string
	if build {
		if images.Node, err = b.ensureBuiltNode(ctx, minor); err != nil {
			return nil, err
		}
		if tools, err = b.builtTools(ctx); err != nil {
			return nil, err
		}
	} else {
		if images.Node, err = b.pullNode(ctx, published.Node[minor]); err != nil {
			return nil, err
		}
		if tools, err = b.pulledTools(ctx, Mirrored(published.Debian, b.Prefix)); err != nil {
			return nil, err
		}
	}

	if images.Sidecars, err = b.ensureSidecars(ctx, build, published); err != nil {
		return nil, err
	}
	workload, err := b.workload(ctx, tools)
	if err != nil {
		return nil, err
	}
	images.Workload = workload.Images[0]
	images.EveryNode = append(images.EveryNode, workload)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		program, err := b.program(ctx, name, programs[name], tools)
		if err != nil {
			return nil, err
		}
		images.Programs[name] = program.Images[0]
		images.EveryNode = append(images.EveryNode, program)
	}
	return images, nil
}

// ensureBuiltNode loads the built node image into the engine unless it is there.
func (b *Builder) ensureBuiltNode(ctx context.Context, minor string) (string, error) {
	n, err := b.node(ctx, minor)
	if err != nil {
		return "", err
	}
	archive, err := b.buildNode(ctx, n)
	if err != nil {
		return "", err
	}
	return n.image(), b.load(ctx, n.image(), archive)
}

// imageName returns a name that no registry serves, so that a missing image is never pulled.
func imageName(repository, key string) string {
	return strings.Join([]string{"localhost/" + repository, key}, ":")
}
