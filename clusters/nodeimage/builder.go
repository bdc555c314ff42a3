// SPDX-License-Identifier: Apache-2.0

// Package nodeimage provides the container images that a cluster runs: the kind node, the CSI sidecars, the reference
// driver and the workload of the cases. It pulls them if a registry answers, and otherwise builds them from Go modules
// and Debian packages. It does not know clusters, layouts or cases.
//
// Each Go module in modules names the programs of one component as tools, so that a new version of Kubernetes only needs
// a new file. They are embedded in the program, because a downloaded module does not include the modules below it.
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

// recipe is this package's own source: it is part of the hash of an image, so that images are rebuilt when the way of
// building changes.
//
//go:embed *.go *.sh
var recipe embed.FS

// Builder makes images and keeps them in a cache directory.
type Builder struct {
	// Source is the directory of this module, as the function Source returns it.
	Source string
	// Cache keeps the built images and programs.
	Cache cache.Dir
	// Progress shows long steps.
	Progress *progress.Reporter
	// EngineEnv is added to the environment of the docker command.
	EngineEnv []string
	// Prefix is the registry, and the path there, from which published images are pulled (see Mirrored); empty means their
	// own registries.
	Prefix string
	// Runs reports whether any of the images of sidecars will run, which may depend on whether they are built or pulled; nil
	// means that all will.
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

// command prepares a program whose output goes to the log of a step. If ctx ends, the program is terminated with all of
// its children.
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
