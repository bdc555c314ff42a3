// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// RemoveFiles removes the files that are in a directory.
func RemoveFiles(path string) error {
	files, err := os.ReadDir(path)
	for _, file := range files {
		err = errors.Join(err, os.RemoveAll(filepath.Join(path, file.Name())))
	}
	return err
}

// ReadFiles reads the files that are in a directory, by name; none if the path is not a directory.
func ReadFiles(path string) map[string][]byte {
	files := map[string][]byte{}
	entries, _ := os.ReadDir(path)
	for _, entry := range entries {
		if data, err := os.ReadFile(filepath.Join(path, entry.Name())); err == nil {
			files[entry.Name()] = data
		}
	}
	return files
}

// WriteFiles writes files to a directory. Files that cannot be written are left out.
func WriteFiles(path string, files map[string][]byte) {
	const private = 0o600
	for name, data := range files {
		_ = os.WriteFile(filepath.Join(path, name), data, private)
	}
}

// Mounting makes the paths of nodes look like mount points, which volumes in memory do not create. Writing to read-only
// paths fails.
func Mounting(readOnly bool) func(*harness.Target) {
	return func(t *harness.Target) { t.Paths = mounting{t.Paths, readOnly} }
}

type mounting struct {
	harness.Paths
	readOnly bool
}

func (mounting) Mounted(context.Context, string, string) (mounted, known bool, err error) {
	return true, true, nil
}

// Unmount removes the names of the files at the path. The volume still has the files.
func (mounting) Unmount(_ context.Context, _, path string) error { return RemoveFiles(path) }

func (m mounting) Write(ctx context.Context, node, path string, offset int64, data []byte) error {
	if m.readOnly {
		return &fs.PathError{Op: "write", Path: path, Err: fs.ErrPermission}
	}
	return m.Paths.Write(ctx, node, path, offset, data)
}
