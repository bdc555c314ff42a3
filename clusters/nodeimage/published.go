// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/crane"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// DefaultMinor is the default Kubernetes minor of a cluster.
const DefaultMinor = "1.37"

// answerWithin limits how long a registry may take to report that it has an image.
const answerWithin = 5 * time.Second

// PublishedImages are the images that registries serve.
type PublishedImages struct {
	// Node is kind's node image by Kubernetes minor, pinned by digest, as the release of kind that
	// go.mod names lists them. Their patch may differ from the built one's.
	Node map[string]string
	// Controller lists the sidecars of a driver's controller, and BesideNode those of its node plugin. Snapshots lists the
	// sidecar and the controller for snapshots.
	Controller, BesideNode, Snapshots []string
	// Debian is the base image whose packages contain the driver's file system tools.
	Debian string
}

// Published returns the published images.
func Published() PublishedImages {
	return PublishedImages{
		Node: map[string]string{
			"1.35": "docker.io/kindest/node:v1.35.8@sha256:07b2536e30b803ed61d1677a79df6115f798ce64c80f9e22f6ed45afd09323c0",
			"1.36": "docker.io/kindest/node:v1.36.4@sha256:099e049362a1526b2db71494e1947aae99bd16290d7c895f2b7ea312e3cbfaed",
			"1.37": "docker.io/kindest/node:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5",
		},
		Controller: []string{
			"registry.k8s.io/sig-storage/csi-provisioner:v6.4.0",
			"registry.k8s.io/sig-storage/csi-attacher:v4.13.0",
			"registry.k8s.io/sig-storage/csi-resizer:v2.3.0",
		},
		BesideNode: []string{
			"registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.15.0",
			"registry.k8s.io/sig-storage/livenessprobe:v2.17.0",
		},
		Snapshots: []string{
			"registry.k8s.io/sig-storage/csi-snapshotter:v8.7.0",
			"registry.k8s.io/sig-storage/snapshot-controller:v8.7.0",
		},
		Debian: "docker.io/library/debian:" + suite + "-slim",
	}
}

// shouldBuild decides between building and pulling.
func (b *Builder) shouldBuild(ctx context.Context, published PublishedImages, minor string, mode Mode) (bool, error) {
	if mode == Build {
		return true, nil
	}
	image, ok := published.Node[minor]
	if !ok && mode == Pull {
		return false, fmt.Errorf("no published node image of Kubernetes %s is known: build it with --images=build", minor)
	}
	err := fmt.Errorf("no published node image of Kubernetes %s is known", minor)
	if ok {
		image = Mirrored(image, b.Prefix)
		err = answers(ctx, image)
	}
	switch {
	case err == nil:
		return false, nil
	case mode == Pull:
		return false, fmt.Errorf("pulling %s: no registry answered within %s: build the images with --images=build: %w", image, answerWithin, err)
	default:
		b.Progress.Printf("  no registry answered within %s: images are built from Go modules and Debian packages", answerWithin)
		return true, nil
	}
}

// answers returns nil if the image's registry reports in time that it has the image.
func answers(ctx context.Context, image string) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	_, err := crane.Head(image, crane.WithContext(ctx), crane.WithAuthFromKeychain(authn.DefaultKeychain))
	return err
}

func (b *Builder) pullNode(ctx context.Context, image string) (string, error) {
	image = Mirrored(image, b.Prefix)
	if b.engineHas(ctx, image) {
		return image, nil
	}
	return image, b.Progress.Step(ctx, "pulling "+image, func(ctx context.Context, log io.Writer) error {
		return run(b.docker(ctx, log, "pull", image))
	})
}

// pullArchive pulls published images into one archive, under their own names even if they come from a mirror, as
// manifests use these names.
func (b *Builder) pullArchive(ctx context.Context, kind string, images []string) (Archive, error) {
	var from []string
	for _, image := range images {
		from = append(from, Mirrored(image, b.Prefix))
	}
	dir, err := b.Cache.Entry(ctx, "images", kind+"-"+cache.Key(from...), func(ctx context.Context, dir string) error {
		return b.Progress.Step(ctx, "pulling the CSI "+kind, func(ctx context.Context, _ io.Writer) error {
			pulled := map[string]v1.Image{}
			for i, image := range images {
				content, err := crane.Pull(from[i], crane.WithContext(ctx), crane.WithAuthFromKeychain(authn.DefaultKeychain), crane.WithPlatform(&v1.Platform{OS: "linux", Architecture: runtime.GOARCH}))
				if err != nil {
					return fmt.Errorf("pulling %s: %w", from[i], err)
				}
				pulled[image] = content
			}
			return save(filepath.Join(dir, "images.tar"), pulled)
		})
	})
	return Archive{Path: filepath.Join(dir, "images.tar"), Images: images}, err
}
