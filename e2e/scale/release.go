// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/clusters/cache"
)

// sidecar is a release of a sidecar, such as csi-provisioner v6.4.0.
type sidecar struct {
	program, version string
}

func (s sidecar) String() string { return s.program + " " + s.version }

// build returns the path of the program, which it builds unless it is in the cache: with the go.mod of the release, and so
// with the libraries that it was released with.
func (s sidecar) build(ctx context.Context, kept cache.Dir, log io.Writer) (string, error) {
	dir, err := kept.Entry(ctx, "programs", s.program+"-"+s.version, func(ctx context.Context, dir string) error {
		major, _, _ := strings.Cut(s.version, ".")
		source, err := downloaded(ctx, "github.com/kubernetes-csi/"+strings.Replace(s.program, "csi-", "external-", 1)+"/"+major, s.version)
		if err != nil {
			return err
		}
		// The module cache is read-only, and go build may have to complete go.sum.
		module, err := os.MkdirTemp("", "csi-topo-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(module) }()
		if err := os.CopyFS(module, os.DirFS(source)); err != nil {
			return fmt.Errorf("copying the source of %s: %w", s, err)
		}
		build := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-trimpath", "-ldflags", "-s -w -X main.version="+s.version, "-o", dir+"/", "./cmd/"+s.program)
		build.Dir, build.Env = module, append(os.Environ(), "CGO_ENABLED=0")
		build.Stdout, build.Stderr = log, log
		if err := build.Run(); err != nil {
			return fmt.Errorf("building %s: %w", s, err)
		}
		return nil
	})
	return filepath.Join(dir, s.program), err
}

// downloaded returns the directory of a module, which it downloads if necessary.
func downloaded(ctx context.Context, module, version string) (string, error) {
	output, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", module+"@"+version).Output()
	var found struct{ Dir, Error string }
	if decoding := json.Unmarshal(output, &found); decoding == nil && found.Error != "" {
		return "", fmt.Errorf("downloading %s %s: %s", module, version, found.Error)
	}
	if err != nil {
		return "", fmt.Errorf("downloading %s %s: %w", module, version, err)
	}
	return found.Dir, nil
}
