package nodeimage

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// builtSidecars are the programs of the sidecars module, by the name and version of
// the module that they come from.
func builtSidecars() map[string]string {
	return map[string]string{
		"csi-provisioner": "github.com/kubernetes-csi/external-provisioner/v6",
		"csi-attacher":    "github.com/kubernetes-csi/external-attacher/v4",
		"csi-resizer":     "github.com/kubernetes-csi/external-resizer/v2",
	}
}

// buildSidecars builds the controller's sidecars under their published names, so that
// the same manifests run them.
func (b *Builder) buildSidecars(ctx context.Context) (Archive, error) {
	c := sidecars()
	key, err := b.key(ctx, c)
	if err != nil {
		return Archive{}, err
	}
	recipe, err := b.recipeKey()
	if err != nil {
		return Archive{}, err
	}
	names := map[string]string{}
	archive := Archive{}
	for program, module := range builtSidecars() {
		version, err := required(b.module(c.dir), module)
		if err != nil {
			return Archive{}, err
		}
		names[program] = fmt.Sprintf("registry.k8s.io/sig-storage/%s:%s", program, version)
		archive.Images = append(archive.Images, names[program])
	}
	dir, err := b.Cache.Entry(ctx, "images", "sidecars-"+cache.Key(key, recipe), func(ctx context.Context, dir string) error {
		programs, err := b.programs(ctx, c)
		if err != nil {
			return err
		}
		return b.Progress.Step(ctx, "assembling the sidecar images", func(context.Context, io.Writer) error {
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
	archive.Path = filepath.Join(dir, "images.tar")
	return archive, err
}
