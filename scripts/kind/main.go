// SPDX-License-Identifier: Apache-2.0

// Command kind is kind for scripts/ten-minutes.sh: kind's own command, on the container engine that csi-topo finds or
// starts. It loads images that no registry serves into its clusters; on a host that cannot reach any registry, these are
// all images, and csi-topo builds the nodes.
//
//	kind prepare DIR DRIVER BUSYBOX   makes the images, under the names DRIVER and BUSYBOX, for IMAGES=auto, build or pull
//	kind create cluster ...           loads the images of the directory that KIND_IMAGES names
//	kind ...                          what kind does
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"sigs.k8s.io/kind/cmd/kind/app"
	"sigs.k8s.io/kind/pkg/cmd"

	"github.com/csi-topo/csi-topo/clusters/engine"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kind:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	preparing := len(args) == 4 && args[0] == "prepare"
	out := io.Discard // only kind's own output is shown
	if preparing {
		out = os.Stderr
	}
	found, err := engine.Ensure(ctx, engine.Options{Out: out})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Release(ctx)) }()
	for _, entry := range found.Env() {
		name, value, _ := strings.Cut(entry, "=")
		if err := os.Setenv(name, value); err != nil {
			return fmt.Errorf("setting %s for the docker command: %w", name, err)
		}
	}
	switch {
	case preparing:
		return prepare(ctx, found, args[1], args[2], args[3])
	case len(args) > 1 && args[0] == "create" && args[1] == "cluster":
		return create(ctx, found.Facts, args)
	default:
		return kind(args)
	}
}

func kind(args []string) error {
	return app.Run(cmd.NewLogger(), cmd.StandardIOStreams(), args)
}
