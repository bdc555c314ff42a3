// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

const thisModule = "github.com/csi-topo/csi-topo"

// Source returns the directory of this module's source: the root of the checkout that contains dir, or else the Go module
// cache for the installed version of this program, which is downloaded if necessary.
func Source(ctx context.Context, dir string) (string, error) {
	if root, found := checkout(dir); found {
		return root, nil
	}
	version := installedVersion()
	if version == "" {
		return "", fmt.Errorf("images are built from the source of csi-topo, but %s is not in a checkout of it, and this program was not installed at a version: change to a checkout, or run `go install %s/e2e/cmd/csi-topo@latest`", dir, thisModule)
	}
	return download(ctx, thisModule+"@"+version)
}

func checkout(dir string) (root string, found bool) {
	for at := dir; ; at = filepath.Dir(at) {
		content, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && strings.HasPrefix(string(content), "module "+thisModule+"\n") {
			return at, true
		}
		if at == filepath.Dir(at) {
			return "", false
		}
	}
}

// installedVersion returns the version that this program was built from, by `go install` or as a release, or "" if it was
// built from a changed work tree.
func installedVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != thisModule || info.Main.Version == "(devel)" || strings.HasSuffix(info.Main.Version, "+dirty") {
		return ""
	}
	return info.Main.Version
}

// download returns the directory in which Go keeps the module, given as path@version.
func download(ctx context.Context, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside any other module, whose go.mod might replace it
	answer, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("building images needs Go, and there is no go command on the PATH: install Go (https://go.dev/dl)")
	}
	var found struct{ Dir, Error string }
	if err := errors.Join(err, json.Unmarshal(answer, &found)); err != nil || found.Dir == "" {
		return "", fmt.Errorf("images are built from the source of csi-topo, and Go could not download %s: %s; set GOPROXY to a module proxy that answers, or change to a checkout", module, strings.TrimSpace(found.Error+" "+fmt.Sprint(err)))
	}
	return found.Dir, nil
}
