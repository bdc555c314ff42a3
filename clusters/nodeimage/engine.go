// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"io"
)

// load loads an archive's image into the container engine unless it is there.
func (b *Builder) load(ctx context.Context, image, archive string) error {
	if b.engineHas(ctx, image) {
		return nil
	}
	return b.Progress.Step(ctx, "loading the node image into the container engine", func(ctx context.Context, log io.Writer) error {
		return run(b.docker(ctx, log, "load", "--input", archive))
	})
}

func (b *Builder) engineHas(ctx context.Context, image string) bool {
	return b.docker(ctx, io.Discard, "image", "inspect", image).Run() == nil
}
