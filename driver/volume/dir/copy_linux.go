// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// copyContent copies the content that pods see, and flushes it to disk.
func copyContent(ctx context.Context, dir, source *os.Root) error {
	content, err := datadir.OpenDir(dir, contentDir)
	if err != nil {
		return err
	}
	defer content.Close()
	to, err := content.Open(".")
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := source.Open(".")
	if err != nil {
		return err
	}
	defer from.Close()
	if err := copyTree(ctx, to, from); err != nil {
		return err
	}
	if err := unix.Syncfs(int(to.Fd())); err != nil {
		return fmt.Errorf("writing the copy to disk: %w", err)
	}
	return nil
}

// copyTree copies the content of a directory with cp(1), and the directory's own modes, times, extended attributes, and
// owners as far as this process may give files away. Links are copied, not followed. It returns ErrRefused for files that
// may not be read.
func copyTree(ctx context.Context, to, from *os.File) error {
	const source = "/proc/self/fd/3/."
	cp := exec.CommandContext(ctx, "cp", "--archive", "--", source, "/proc/self/fd/4/.")
	cp.Env = append(os.Environ(), "LC_ALL=C")
	cp.ExtraFiles = []*os.File{from, to}
	output, err := cp.CombinedOutput()
	path := strings.TrimSuffix(from.Name(), "/.")
	text := strings.ReplaceAll(strings.TrimSpace(string(output)), source, path)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case strings.Contains(text, "No space left on device"):
		return fmt.Errorf("copying %s: %w", path, unix.ENOSPC)
	case strings.Contains(text, "Permission denied"), strings.Contains(text, "Operation not permitted"):
		return fmt.Errorf("%w: %s cannot be copied by the user %d of the driver: let everybody read it, and remove devices: %s", volume.ErrRefused, path, os.Geteuid(), text)
	default:
		return fmt.Errorf("copying %s: %w: %s", path, err, text)
	}
}
