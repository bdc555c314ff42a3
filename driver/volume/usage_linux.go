package volume

import (
	"context"
	"fmt"

	"golang.org/x/sys/unix"
)

// Usage tells what the file system of the volume holds, as statfs(2) sees it.
func (m *LoopMounter) Usage(_ context.Context, id, volumePath string) (Usage, error) {
	_, device, err := m.volumeAt(id, volumePath)
	if err != nil {
		return Usage{}, err
	}
	defer device.Close()
	var s unix.Statfs_t
	if err := unix.Statfs(volumePath, &s); err != nil {
		return Usage{}, fmt.Errorf("asking the file system at %s what it holds: %w", volumePath, err)
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
