// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// copyChunk is the number of bytes that are copied between checks of the context.
const copyChunk = 64 << 20

// clone makes a file share all blocks of another, in one moment; errors.ErrUnsupported if the file system cannot.
func clone(to, from *os.File) error {
	err := unix.IoctlFileClone(int(to.Fd()), int(from.Fd()))
	switch {
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOTTY), errors.Is(err, unix.EXDEV), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return errors.ErrUnsupported
	default:
		return err
	}
}

// copySparse copies data; holes stay holes.
func copySparse(ctx context.Context, to, from *os.File, bytes int64) error {
	for at := int64(0); at < bytes; {
		begin, err := unix.Seek(int(from.Fd()), at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			break // only a hole until the end
		}
		if err != nil {
			return err
		}
		end, err := unix.Seek(int(from.Fd()), begin, unix.SEEK_HOLE)
		if err != nil {
			return err
		}
		if err := copyRange(ctx, to, from, begin, min(end, bytes)); err != nil {
			return err
		}
		at = end
	}
	return to.Truncate(bytes)
}

// copyRange lets the kernel copy from one file to the other (copy_file_range).
func copyRange(ctx context.Context, to, from *os.File, begin, end int64) error {
	for at := begin; at < end; at += copyChunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := from.Seek(at, io.SeekStart); err != nil {
			return err
		}
		if _, err := to.Seek(at, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.CopyN(to, from, min(copyChunk, end-at)); err != nil {
			return err
		}
	}
	return nil
}
