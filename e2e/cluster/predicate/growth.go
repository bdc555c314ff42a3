package predicate

import (
	"fmt"
	"strconv"
	"strings"
)

// FileSystemBytes reads the size in bytes from the answer of `df -P -k PATH`.
func FileSystemBytes(df string) (int64, error) {
	lines := strings.Split(strings.TrimSpace(df), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if len(lines) < 2 || len(fields) < 6 {
		return 0, fmt.Errorf("df answered %q, wanted a heading and a line of six columns", df)
	}
	kibibytes, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("df answered %q, wanted a number of 1K-blocks in the second column: %w", df, err)
	}
	return kibibytes * 1024, nil
}

// minimumGrowth is the part of a volume's growth that its file system must show: the rest
// is left to the file system's own needs.
const minimumGrowth = 0.8

// Grown wants a file system to have grown with its volume, which grew by this many bytes.
func Grown(before, after, by int64) error {
	least := before + int64(minimumGrowth*float64(by))
	return AtLeast(fmt.Sprintf("size of the file system that was %d bytes", before), after, least)
}
