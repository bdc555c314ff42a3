package nodeimage

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// component is a nested module whose tools are programs of an image.
type component struct {
	title string
	// dir is the module, below this package's directory.
	dir     string
	tags    string
	ldflags string
}

func (b *Builder) kubernetes(minor string) (component, string, error) {
	dir := filepath.Join("kubernetes", "v"+minor)
	version, err := required(b.module(dir), "k8s.io/kubernetes")
	if err != nil {
		return component{}, "", err
	}
	major, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	minorDigits, _, _ := strings.Cut(rest, ".")
	const at = "k8s.io/component-base/version."
	ldflags := fmt.Sprintf("-X %sgitVersion=%s -X %sgitMajor=%s -X %sgitMinor=%s -X %sgitTreeState=clean",
		at, version, at, major, at, minorDigits, at)
	return component{title: "Kubernetes " + version, dir: dir, ldflags: ldflags}, version, nil
}

func etcd() component { return component{title: "etcd", dir: "etcd"} }

func containerRuntime() component {
	return component{
		title: "containerd, CoreDNS and CNI plugins",
		dir:   "runtime",
		tags:  "no_aufs,no_zfs,no_btrfs,no_devmapper",
	}
}

func sidecars() component { return component{title: "CSI sidecars", dir: "sidecars"} }

// snapshots is a module apart from the sidecars, as it asks for newer libraries than they are released with.
func snapshots() component { return component{title: "CSI snapshot controllers", dir: "snapshots"} }

func (b *Builder) module(dir string) string {
	return filepath.Join(b.Source, "clusters", "nodeimage", dir)
}

// key is the hash of everything that decides what the programs of c are.
func (b *Builder) key(ctx context.Context, c component) (string, error) {
	parts := []string{c.tags, c.ldflags}
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(b.module(c.dir), name))
		if err != nil {
			return "", fmt.Errorf("hashing %s: %w", c.dir, err)
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
	key, err := b.key(ctx, c)
	if err != nil {
		return "", err
	}
	name := filepath.Base(c.dir) + "-" + key
	return b.Cache.Entry(ctx, "programs", name, func(ctx context.Context, dir string) error {
		return b.Progress.Step(ctx, "building "+c.title+" from Go modules", func(ctx context.Context, log io.Writer) error {
			return run(goBuild(ctx, log, b.module(c.dir), dir+"/", c.tags, c.ldflags, "tool"))
		})
	})
}

// goBuild prepares a build without C, which runs in an image that holds nothing else.
func goBuild(ctx context.Context, log io.Writer, module, out, tags, ldflags, what string) *exec.Cmd {
	cmd := command(ctx, log, "go", "build", "-trimpath", "-tags", tags, "-ldflags", "-s -w "+ldflags, "-o", out, what)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}
