// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Kind is the kind of volumes on disk.
type Kind string

const (
	// Image is a file with its own file system, or a raw block device, for one node at a time.
	Image Kind = "image"
	// Dir is a directory, which several nodes may use at once.
	Dir Kind = "dir"
	// InMemory is kept only in memory, and mounts nothing.
	InMemory Kind = "memory"
)

// Block reports whether volumes of the kind can be raw block devices.
func (k Kind) Block() bool { return k != Dir }

// MultiNode reports whether volumes of the kind can be on several nodes at once.
func (k Kind) MultiNode() bool { return k != Image }

// FileSystems returns the file systems that may be requested, the default first; none for a kind
// that has no choice.
func (k Kind) FileSystems() []string {
	if k == Dir {
		return nil
	}
	return []string{"xfs", "ext4"}
}

// NewID returns an id for a volume or a snapshot of that kind, "<kind>-<UUID>". The kind is part of it because calls to a
// node carry nothing else that shows it. Ids of one kind increase with time: new records come after the others, which
// keeps commits small and lists in the order of creation.
func NewID(k Kind) (string, error) {
	unique, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("making an id: %w", err)
	}
	return string(k) + "-" + unique.String(), nil
}

// KindOf returns the kind of an id of NewID; false for any other string.
func KindOf(id string) (Kind, bool) {
	kind, unique, found := strings.Cut(id, "-")
	if !found {
		return "", false
	}
	parsed, err := uuid.Parse(unique)
	if err != nil || parsed.String() != unique {
		return "", false
	}
	switch k := Kind(kind); k {
	case Image, Dir, InMemory:
		return k, true
	default:
		return "", false
	}
}
