// SPDX-License-Identifier: Apache-2.0

package nodeimage

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// copyKindFiles copies the files of kind's base image, scripts executable and
// everything else not, as kind's own Dockerfile does.
func copyKindFiles(from, root string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(relative, "usr/local/bin/") || strings.HasPrefix(relative, "kind/bin/") {
			mode = 0o755
		}
		return copyFile(name, filepath.Join(root, relative), mode)
	})
}

func copyFile(from, to string, mode fs.FileMode) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeFile(to, content, mode)
}

// writeFile writes a file with its parent directories; its mode does not depend on
// the caller's umask.
func writeFile(name string, content []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name, content, mode); err != nil {
		return err
	}
	if err := os.Chmod(name, mode); err != nil {
		return fmt.Errorf("setting the mode of %s: %w", name, err)
	}
	return nil
}
