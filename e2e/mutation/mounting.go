// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"io/fs"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

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

// Unmount removes the names of the files that are at the path. The volume has them still.
func (mounting) Unmount(_ context.Context, _, path string) error { return RemoveFiles(path) }

func (m mounting) Write(ctx context.Context, node, path string, offset int64, data []byte) error {
	if m.readOnly {
		return &fs.PathError{Op: "write", Path: path, Err: fs.ErrPermission}
	}
	return m.Paths.Write(ctx, node, path, offset, data)
}
