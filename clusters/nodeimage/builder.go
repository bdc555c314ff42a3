// SPDX-License-Identifier: Apache-2.0

// Package nodeimage makes the container images that a cluster runs: the kind node,
// the CSI sidecars, the reference driver and the workload of the cases. Where a
// registry answers they are pulled; where none does they are built from Go modules
// and Debian packages. It knows nothing of clusters, layouts or cases.
//
// Each Go module in modules names the programs of one component as tools, so that a
// new version of Kubernetes is a new file. They are part of the program, as a module
// that is downloaded comes without the modules below it.
package nodeimage

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/csi-topo/csi-topo/clusters/cache"
	"github.com/csi-topo/csi-topo/clusters/progress"
)

// recipe is this package's own source: a change of how images are built is a change
// of what they are built from.
//
//go:embed *.go *.sh
var recipe embed.FS

// Builder makes images and keeps them in a cache directory.
type Builder struct {
	// Source is the directory of this module, as Source finds it.
	Source string
	// Cache keeps what was built.
	Cache cache.Dir
	// Progress is told of long steps.
	Progress *progress.Reporter
	// EngineEnv is added to the environment of the docker command.
	EngineEnv []string
	// Prefix is the registry, and the path there, from which published images are pulled
	// instead of from their own, as Mirrored says; empty pulls them from their own.
	Prefix string
	// Runs reports whether one of the images of sidecars will run; nil makes all. Which
	// ones a driver has beside it may depend on whether they were built or pulled.
	Runs func(built bool, images []string) (bool, error)
}

// Archive is a file with one or more images, as `docker save` writes it.
type Archive struct {
	// Path of the archive.
	Path string
	// Images are the names in it.
	Images []string
}

func (b *Builder) recipeKey() (string, error) { return cache.KeyOfFiles(recipe) }

// command prepares a program whose output goes to the log of a step. A program that
// is cut off is ended with everything it started.
func command(ctx context.Context, log io.Writer, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = log, log
	endWithChildren(cmd)
	return cmd
}

func (b *Builder) docker(ctx context.Context, log io.Writer, args ...string) *exec.Cmd {
	cmd := command(ctx, log, "docker", args...)
	cmd.Env = append(os.Environ(), b.EngineEnv...)
	return cmd
}

func output(cmd *exec.Cmd) (string, error) {
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimSpace(out.String()), nil
}

func run(cmd *exec.Cmd) error {
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}
