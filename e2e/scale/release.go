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

// buildProvisioner returns the path of csi-provisioner of a version, such as "v6.4.0", which it builds unless the cache
// has it: by the go.mod of the release itself, and so with the libraries that it was released with.
func buildProvisioner(ctx context.Context, kept cache.Dir, version string, log io.Writer) (string, error) {
	dir, err := kept.Entry(ctx, "programs", "csi-provisioner-"+version, func(ctx context.Context, dir string) error {
		source, err := downloaded(ctx, "github.com/kubernetes-csi/external-provisioner/"+strings.SplitN(version, ".", 2)[0], version)
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
			return fmt.Errorf("copying the source of csi-provisioner %s: %w", version, err)
		}
		build := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-trimpath", "-ldflags", "-s -w -X main.version="+version, "-o", dir+"/", "./cmd/csi-provisioner")
		build.Dir, build.Env = module, append(os.Environ(), "CGO_ENABLED=0")
		build.Stdout, build.Stderr = log, log
		if err := build.Run(); err != nil {
			return fmt.Errorf("building csi-provisioner %s: %w", version, err)
		}
		return nil
	})
	return filepath.Join(dir, "csi-provisioner"), err
}

// downloaded returns the directory of a module, which it downloads if need be.
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
