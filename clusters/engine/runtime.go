// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runtimeSources are embedded, so that the program can build the runtime wherever it runs.
//
//go:embed ociruntime/main.go ociruntime/arguments.go ociruntime/capability.go
var runtimeSources embed.FS

// buildRuntime builds ociruntime below dir, unless the same sources were built before,
// and returns the path of the program.
func buildRuntime(ctx context.Context, dir string) (string, error) {
	files, err := fs.Glob(runtimeSources, "ociruntime/*.go")
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	work, err := os.MkdirTemp(dir, "ociruntime-")
	if err != nil {
		return "", fmt.Errorf("building the OCI runtime: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	args := []string{"build", "-o", filepath.Join(work, "ociruntime")}
	for _, file := range files {
		text, err := runtimeSources.ReadFile(file)
		if err != nil {
			return "", err
		}
		hash.Write(text)
		if err := os.WriteFile(filepath.Join(work, filepath.Base(file)), text, 0o600); err != nil {
			return "", fmt.Errorf("building the OCI runtime: %w", err)
		}
		args = append(args, filepath.Base(file))
	}
	program := filepath.Join(dir, "ociruntime-"+hex.EncodeToString(hash.Sum(nil))[:12])
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	build := exec.CommandContext(ctx, "go", args...)
	build.Dir = work
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the OCI runtime that this host needs: %w: %s", err, strings.TrimSpace(string(out)))
	}
	if err := os.Rename(filepath.Join(work, "ociruntime"), program); err != nil {
		return "", fmt.Errorf("storing the OCI runtime: %w", err)
	}
	return program, nil
}
