// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Mode says where images come from.
type Mode string

// The modes.
const (
	// Auto pulls where a registry answers within a few seconds, else builds.
	Auto Mode = "auto"
	// Build builds whatever answers.
	Build Mode = "build"
	// Pull never builds a node or a sidecar.
	Pull Mode = "pull"
)

// ParseMode returns an error that names the modes when s is none of them.
func ParseMode(s string) (Mode, error) {
	modes := []Mode{Auto, Build, Pull}
	if !slices.Contains(modes, Mode(s)) {
		return "", fmt.Errorf("unknown image mode %q: want auto, build or pull", s)
	}
	return Mode(s), nil
}

// Images is everything that a cluster of one Kubernetes minor runs.
type Images struct {
	// Node is the node image's name in the container engine.
	Node string
	// Built tells that the node image and the sidecars were built, not pulled. A built
	// node has no pod network of its own, and no published sidecars beside it.
	Built bool
	// Workload is the name of the image that the cases' pods and the recording proxy run.
	Workload string
	// Programs are the names of the images of programs, by what manifests call them.
	Programs map[string]string
	// Sidecars are needed where a driver's pods run one of their images, EveryNode on all.
	Sidecars, EveryNode []Archive
}

// Ensure builds or pulls the images that a cluster of the given minor needs, of its nodes, the sidecars and the given
// programs, which are keyed by the name of their image. It does not repeat what the cache and the engine already have.
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

// imageName returns a name that no registry serves, so that a missing image is never looked
// for elsewhere.
func imageName(repository, key string) string {
	return strings.Join([]string{"localhost/" + repository, key}, ":")
}
