// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"
)

// Usage tells what the file system of the volume holds, or how large its device is.
func (m *LoopMounter) Usage(_ context.Context, id, volumePath string) (Usage, error) {
	found, err := m.find(id, volumePath)
	if err != nil {
		return Usage{}, err
	}
	defer found.Close()
	if !found.block {
		return usageOf(volumePath)
	}
	bytes, err := deviceBytes(found.device)
	return Usage{Block: true, TotalBytes: bytes}, err
}

// usageOf tells what the file system at the path holds, as statfs(2) sees it.
func usageOf(path string) (Usage, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return Usage{}, fmt.Errorf("asking the file system at %s what it holds: %w", path, err)
	}
	block := s.Bsize
	return Usage{
		TotalBytes:      int64(s.Blocks) * block,
		UsedBytes:       int64(s.Blocks-s.Bfree) * block,
		AvailableBytes:  int64(s.Bavail) * block,
		TotalInodes:     int64(s.Files),
		UsedInodes:      int64(s.Files - s.Ffree),
		AvailableInodes: int64(s.Ffree),
	}, nil
}
