// SPDX-License-Identifier: Apache-2.0

package comparison

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/csi-topo/csi-topo/e2e/report"
)

// copyFolder copies the regular files of a folder and its subfolders.
func copyFolder(from, to string) error {
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir := filepath.Join(to, filepath.Dir(below))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return report.Replace(dir, entry.Name(), func(path string) error {
			return os.WriteFile(path, content, 0o644) //nolint:gosec // what is published is for everybody
		})
	})
	if err != nil {
		return fmt.Errorf("copying what the page links to: %w", err)
	}
	return nil
}
