// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// component is a separate module whose tools are the programs of an image.
type component struct {
	title string
	// module is the name of its files below modules, without .mod and .sum.
	module  string
	tags    string
	ldflags string
}

func kubernetes(minor string) (component, string, error) {
	module := "kubernetes/v" + minor
	version, err := component{module: module}.required("k8s.io/kubernetes")
	if err != nil {
		return component{}, "", err
	}
	major, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minorDigits, _, _ := strings.Cut(rest, ".")
	const at = "k8s.io/component-base/version."
	ldflags := fmt.Sprintf("-X %sgitVersion=%s -X %sgitMajor=%s -X %sgitMinor=%s -X %sgitTreeState=clean",
		at, version, at, major, at, minorDigits, at)
	return component{title: "Kubernetes " + version, module: module, ldflags: ldflags}, version, nil
}

func etcd() component { return component{title: "etcd", module: "etcd"} }

func containerRuntime() component {
	return component{
		title:  "containerd, CoreDNS and CNI plugins",
		module: "runtime",
		tags:   "no_aufs,no_zfs,no_btrfs,no_devmapper",
	}
}

func sidecars() component { return component{title: "CSI sidecars", module: "sidecars"} }

// snapshots returns a module apart from the sidecars, because it requires newer libraries than their releases.
func snapshots() component { return component{title: "CSI snapshot controllers", module: "snapshots"} }

// modules contains the components' go.mod and go.sum, with other names, so that they are part of this module.
//
//go:embed modules
var modules embed.FS

// file returns the component's go.mod or go.sum.
func (c component) file(extension string) ([]byte, error) {
	content, err := modules.ReadFile("modules/" + c.module + extension)
	if err != nil {
		return nil, fmt.Errorf("reading the module of %s: %w", c.title, err)
	}
	return content, nil
}

// writeModule writes the component's module into the directory.
func (c component) writeModule(dir string) error {
	for _, extension := range []string{".mod", ".sum"} {
		content, err := c.file(extension)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "go"+extension), content, 0o600); err != nil {
			return fmt.Errorf("writing the module of %s: %w", c.title, err)
		}
	}
	return nil
}

// key returns the hash of everything that determines the programs of c.
func (c component) key(ctx context.Context) (string, error) {
	parts := []string{c.tags, c.ldflags}
	for _, extension := range []string{".mod", ".sum"} {
		content, err := c.file(extension)
		if err != nil {
			return "", err
		}
		parts = append(parts, string(content))
	}
	version, err := output(command(ctx, io.Discard, "go", "env", "GOVERSION", "GOOS", "GOARCH"))
	if err != nil {
		return "", err
	}
	return cache.Key(append(parts, version)...), nil
}

// programs returns a directory with the statically linked programs of c.
func (b *Builder) programs(ctx context.Context, c component) (string, error) {
	key, err := c.key(ctx)
	if err != nil {
		return "", err
	}
	name := path.Base(c.module) + "-" + key
	return b.Cache.Entry(ctx, "programs", name, func(ctx context.Context, dir string) error {
		return b.Progress.Step(ctx, "building "+c.title+" from Go modules", func(ctx context.Context, log io.Writer) error {
			module, err := os.MkdirTemp("", "csi-topo-")
			if err != nil {
				return err
			}
			defer func() { _ = os.RemoveAll(module) }()
			if err := c.writeModule(module); err != nil {
				return err
			}
			return run(goBuild(ctx, log, module, dir+"/", c.tags, c.ldflags, "tool"))
		})
	})
}

// goBuild prepares a build without C, for a program that runs in an image with no other files.
func goBuild(ctx context.Context, log io.Writer, module, out, tags, ldflags, what string) *exec.Cmd {
	cmd := command(ctx, log, "go", "build", "-trimpath", "-tags", tags, "-ldflags", "-s -w "+ldflags, "-o", out, what)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}
