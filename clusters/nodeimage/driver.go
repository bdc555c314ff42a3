// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// Program is a Go program that an image is built from.
type Program struct {
	// Dir is its directory.
	Dir string
	// LDFlags are flags for the linker, such as "-X main.version=v1.0.0".
	LDFlags string
}

// program returns a driver's program with the tools that it may run, and nothing else: no shell,
// no package manager.
func (b *Builder) program(ctx context.Context, name string, p Program, tools string) (Archive, error) {
	own := path.Base(name)
	return b.ownProgram(ctx, ownImage{
		repository: own, module: p.Dir, what: ".", ldflags: p.LDFlags, as: "usr/local/bin/" + own,
		base: filepath.Join(tools, driverDir), entrypoint: []string{"/usr/local/bin/" + own},
	})
}

// workload returns the image of the cases' pods: busybox, with the programs that the suite runs beside a driver: the
// proxy that records calls, and the relay by which it reaches sockets.
func (b *Builder) workload(ctx context.Context, tools string) (Archive, error) {
	return b.ownProgram(ctx, ownImage{
		repository: "csi-topo-workload", module: b.Source, what: "./e2e/cmd/csi-topo-sidecar", as: "csi-topo-sidecar",
		base: filepath.Join(tools, busyboxDir),
	})
}

// Suite builds the image of csi-topo itself, which a Job in a cluster runs. It contains only that program.
func (b *Builder) Suite(ctx context.Context) (Archive, error) {
	return b.ownProgram(ctx, ownImage{
		repository: "csi-topo", module: b.Source, what: "./e2e/cmd/csi-topo", as: "csi-topo", entrypoint: []string{"/csi-topo"},
	})
}

// ownImage describes an image with one program that is built for the run.
type ownImage struct {
	// repository is the image's name without its tag.
	repository string
	// module is a directory of the program's module, what the program's package relative to it, ldflags the flags of the
	// linker, and as the program's path in the image.
	module, what, ldflags, as string
	// base is a directory with the image's other files; "" means none.
	base       string
	entrypoint []string
}

// ownProgram builds the program and an image tagged with the hash of its contents: a changed driver has another tag, so
// that a running cluster does not use the old image.
func (b *Builder) ownProgram(ctx context.Context, o ownImage) (Archive, error) {
	binary, err := b.ownBinary(ctx, o)
	if err != nil {
		return Archive{}, err
	}
	files := map[string]file{}
	if o.base != "" {
		if files, err = readAll(o.base); err != nil {
			return Archive{}, err
		}
	}
	files[o.as] = file{mode: 0o755, content: binary}
	content, err := layerContent(files)
	if err != nil {
		return Archive{}, err
	}
	key := cache.Key(string(content))
	image := imageName(o.repository, key)
	dir, err := b.Cache.Entry(ctx, "images", o.repository+"-"+key, func(_ context.Context, dir string) error {
		built, err := scratch(files, o.entrypoint...)
		if err != nil {
			return err
		}
		return save(filepath.Join(dir, "images.tar"), map[string]v1.Image{image: built})
	})
	return Archive{Path: filepath.Join(dir, "images.tar"), Images: []string{image}}, err
}

func (b *Builder) ownBinary(ctx context.Context, o ownImage) (content []byte, err error) {
	dir, err := os.MkdirTemp("", "csi-topo-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out := filepath.Join(dir, "program")
	err = b.Progress.Step(ctx, "building "+o.repository, func(ctx context.Context, log io.Writer) error {
		return run(goBuild(ctx, log, o.module, out, "", o.ldflags, o.what))
	})
	if err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}
