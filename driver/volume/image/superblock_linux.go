// SPDX-License-Identifier: Apache-2.0

package image

import (
	"encoding/binary"
	"fmt"
	"os"
)

// superblockBytes is the number of bytes at the beginning of a device that contain the superblocks.
const superblockBytes = 4096

// superblock is the beginning of a device, with the superblock of XFS (struct
// xfs_dsb in the kernel's xfs_format.h) or of ext4 (struct ext4_super_block, which
// begins 1024 bytes in).
type superblock [superblockBytes]byte

func readSuperblock(device *os.File) (*superblock, error) {
	var s superblock
	if _, err := device.ReadAt(s[:], 0); err != nil {
		return nil, fmt.Errorf("reading the superblock on %s: %w", device.Name(), err)
	}
	return &s, nil
}

func (s *superblock) isXFS() bool  { return string(s[0:4]) == "XFSB" }
func (s *superblock) isExt4() bool { return binary.LittleEndian.Uint16(s[1024+0x38:]) == 0xEF53 }

// unfinished reports whether the XFS is still being made (sb_inprogress).
func (s *superblock) unfinished() bool { return s.isXFS() && s[126] != 0 }

// blocks returns the size of a block of the file system in bytes, and the number of
// blocks.
func (s *superblock) blocks() (size, count int64) {
	switch {
	case s.isXFS():
		return int64(binary.BigEndian.Uint32(s[4:])), int64(binary.BigEndian.Uint64(s[8:]))
	case s.isExt4():
		ext4 := s[1024:]
		low, high := binary.LittleEndian.Uint32(ext4[0x4:]), uint32(0)
		if binary.LittleEndian.Uint32(ext4[0x60:])&0x80 != 0 { // INCOMPAT_64BIT
			high = binary.LittleEndian.Uint32(ext4[0x150:])
		}
		return 1024 << binary.LittleEndian.Uint32(ext4[0x18:]), int64(high)<<32 | int64(low)
	default:
		return 0, 0
	}
}

// canGrow reports whether a device of that many bytes has room for another block.
func (s *superblock) canGrow(deviceBytes int64) bool {
	size, count := s.blocks()
	return size > 0 && (count+1)*size <= deviceBytes
}
