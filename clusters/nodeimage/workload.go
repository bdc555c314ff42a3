// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/name"
)

// CheckReference returns an error unless the name has a registry and a tag, so that an image can be pushed under it.
func CheckReference(reference string) error {
	if _, err := name.NewTag(reference, name.StrictValidation); err != nil {
		return fmt.Errorf("the image name %q: want one with a registry and a tag, such as registry.example.com/csi-topo-workload:v1: %w", reference, err)
	}
	return nil
}

// PushWorkload builds the image that the cases' pods run, and pushes it under a name that CheckReference accepts, for
// existing clusters. It uses the registry credentials of `docker login`.
func (b *Builder) PushWorkload(ctx context.Context, minor string, mode Mode, reference string) error {
	tools, err := b.toolsFor(ctx, minor, mode)
	if err != nil {
		return err
	}
	archive, err := b.workload(ctx, tools)
	if err != nil {
		return err
	}
	return b.push(ctx, archive.Path, reference)
}

// PushProgram builds the image of a program with the tools that drivers run, and pushes it in the same way.
func (b *Builder) PushProgram(ctx context.Context, minor string, mode Mode, p Program, reference string) error {
	tools, err := b.toolsFor(ctx, minor, mode)
	if err != nil {
		return err
	}
	archive, err := b.program(ctx, filepath.Base(p.Dir), p, tools)
	if err != nil {
		return err
	}
	return b.push(ctx, archive.Path, reference)
}

// PushSuite builds the image of csi-topo itself, and pushes it in the same way.
func (b *Builder) PushSuite(ctx context.Context, reference string) error {
	archive, err := b.Suite(ctx)
	if err != nil {
		return err
	}
	return b.push(ctx, archive.Path, reference)
}

func (b *Builder) push(ctx context.Context, archive, reference string) error {
	return b.Progress.Step(ctx, "pushing "+reference, func(ctx context.Context, _ io.Writer) error {
		image, err := crane.Load(archive)
		if err != nil {
			return fmt.Errorf("reading the image: %w", err)
		}
		if err := crane.Push(image, reference, crane.WithContext(ctx), crane.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
			return fmt.Errorf("pushing %s: %w; want a registry where you are logged in, by docker login, and may push", reference, err)
		}
		return nil
	})
}

func (b *Builder) toolsFor(ctx context.Context, minor string, mode Mode) (string, error) {
	if err := CheckMinor(minor); err != nil {
		return "", err
	}
	published := Published()
	build, err := b.shouldBuild(ctx, published, minor, mode)
	if err != nil {
		return "", err
	}
	if build {
		return b.builtTools(ctx)
	}
	return b.pulledTools(ctx, Mirrored(published.Debian, b.Prefix))
}
