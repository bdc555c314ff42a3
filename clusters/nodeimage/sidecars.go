// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// sidecarPrograms returns the programs of a module of sidecars, each with the module that contains it and determines its
// version.
func sidecarPrograms(c component) map[string]string {
	const snapshotter = "github.com/kubernetes-csi/external-snapshotter/v8"
	return map[string]map[string]string{
		sidecars().module: {
			"csi-provisioner": "github.com/kubernetes-csi/external-provisioner/v6",
			"csi-attacher":    "github.com/kubernetes-csi/external-attacher/v4",
			"csi-resizer":     "github.com/kubernetes-csi/external-resizer/v2",
		},
		snapshots().module: {"csi-snapshotter": snapshotter, "snapshot-controller": snapshotter},
	}[c.module]
}

// sidecarImages returns the published image names of the module's programs. The built images have the same names, so that
// the same manifests run them.
func sidecarImages(c component) (map[string]string, error) {
	names := map[string]string{}
	for program, module := range sidecarPrograms(c) {
		version, err := c.required(module)
		if err != nil {
			return nil, err
		}
		names[program] = fmt.Sprintf("registry.k8s.io/sig-storage/%s:%s", program, version)
	}
	return names, nil
}

// sidecarSet is a set of sidecar images that are built or pulled together.
type sidecarSet struct {
	images []string
	ensure func(ctx context.Context) (Archive, error)
}

// ensureSidecars builds or pulls the sets of sidecars of which any image will run.
func (b *Builder) ensureSidecars(ctx context.Context, build bool, published PublishedImages) ([]Archive, error) {
	sets := b.pulledSidecars(published)
	if build {
		var err error
		if sets, err = b.builtSidecars(); err != nil {
			return nil, err
		}
	}
	var archives []Archive
	for _, set := range sets {
		if b.Runs != nil {
			runs, err := b.Runs(build, set.images)
			if err != nil {
				return nil, err
			}
			if !runs {
				continue
			}
		}
		archive, err := set.ensure(ctx)
		if err != nil {
			return nil, err
		}
		archives = append(archives, archive)
	}
	return archives, nil
}

func (b *Builder) pulledSidecars(published PublishedImages) []sidecarSet {
	var sets []sidecarSet
	for _, part := range []struct {
		kind   string
		images []string
	}{{"node-sidecars", published.BesideNode}, {"sidecars", published.Controller}, {"snapshots", published.Snapshots}} {
		sets = append(sets, sidecarSet{part.images, func(ctx context.Context) (Archive, error) {
			return b.pullArchive(ctx, part.kind, part.images)
		}})
	}
	return sets
}

func (b *Builder) builtSidecars() ([]sidecarSet, error) {
	var sets []sidecarSet
	for _, c := range []component{sidecars(), snapshots()} {
		names, err := sidecarImages(c)
		if err != nil {
			return nil, err
		}
		images := slices.Sorted(maps.Values(names))
		sets = append(sets, sidecarSet{images, func(ctx context.Context) (Archive, error) {
			path, err := b.buildSidecars(ctx, c, names)
			return Archive{Path: path, Images: images}, err
		}})
	}
	return sets, nil
}

// buildSidecars builds the programs of a module of sidecars into images with these names, and returns the path of their
// archive.
func (b *Builder) buildSidecars(ctx context.Context, c component, names map[string]string) (string, error) {
	key, err := c.key(ctx)
	if err != nil {
		return "", err
	}
	recipe, err := b.recipeKey()
	if err != nil {
		return "", err
	}
	dir, err := b.Cache.Entry(ctx, "images", c.module+"-"+cache.Key(key, recipe), func(ctx context.Context, dir string) error {
		programs, err := b.programs(ctx, c)
		if err != nil {
			return err
		}
		return b.Progress.Step(ctx, "assembling the images of the "+c.title, func(context.Context, io.Writer) error {
			images := map[string]v1.Image{}
			for program, image := range names {
				files, err := programFile(filepath.Join(programs, program), program)
				if err != nil {
					return err
				}
				if images[image], err = scratch(files, "/"+program); err != nil {
					return fmt.Errorf("building %s: %w", image, err)
				}
			}
			return save(filepath.Join(dir, "images.tar"), images)
		})
	})
	return filepath.Join(dir, "images.tar"), err
}
