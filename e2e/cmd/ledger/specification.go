// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/requirement/ledger"
)

// module is the Go module of the CSI specification, which contains its text.
const module = "github.com/container-storage-interface/spec"

// specification is a spec.md.
type specification struct {
	version, text string
}

// newerSpecification reads the file or, without one, the specification of the version in go.mod.
func newerSpecification(ctx context.Context, file string) (specification, error) {
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return specification{}, fmt.Errorf("reading a specification: %w", err)
		}
		return specification{file, string(text)}, nil
	}
	version, err := goCommand(ctx, "list", "-m", "-f", "{{.Version}}", module)
	if err != nil {
		return specification{}, err
	}
	return ofVersion(ctx, strings.TrimSpace(string(version)))
}

// recordedSpecification reads the specification of the ledger's version.
func recordedSpecification(ctx context.Context, now specification) (specification, error) {
	version, err := ledger.Version()
	if err != nil {
		return specification{}, err
	}
	if version == now.version {
		return now, nil
	}
	return ofVersion(ctx, version)
}

// ofVersion reads the specification of a version from Go's module cache, which is filled from the module proxy if
// necessary.
func ofVersion(ctx context.Context, version string) (specification, error) {
	printed, err := goCommand(ctx, "mod", "download", "-json", module+"@"+version)
	if err != nil {
		return specification{}, err
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(printed, &found); err != nil {
		return specification{}, fmt.Errorf("reading what go mod download printed: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(found.Dir, "spec.md"))
	if err != nil {
		return specification{}, fmt.Errorf("reading the specification %s: %w", version, err)
	}
	return specification{version, string(text)}, nil
}

func goCommand(ctx context.Context, args ...string) ([]byte, error) {
	printed, err := exec.CommandContext(ctx, "go", args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			printed = append(printed, exit.Stderr...)
		}
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, printed)
	}
	return printed, nil
}

// renumber rewrites the files of the register and of the ledger below the working directory, which must be the repository's
// root.
func renumber(was, now specification) error {
	moves := ledger.Moved(was.version, was.text, now.version, now.text)
	if err := rewrite("e2e/requirement/ledger/spec.yaml", moves.Accounts); err != nil {
		return err
	}
	files, err := filepath.Glob("e2e/requirement/register/*.yaml")
	if err != nil {
		return fmt.Errorf("listing the register's files: %w", err)
	}
	for _, file := range files {
		if err := rewrite(file, moves.Register); err != nil {
			return err
		}
	}
	return nil
}

func rewrite(file string, renumbered func(string) string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading what to renumber: %w", err)
	}
	if err := os.WriteFile(file, []byte(renumbered(string(content))), 0o644); err != nil {
		return fmt.Errorf("renumbering: %w", err)
	}
	return nil
}
