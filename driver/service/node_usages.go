package service

import (
	"fmt"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// usage is how a volume was asked for at one path: of the arguments those that
// no mount table tells afterwards (CSI spec, NodePublishVolume, P in the table of
// second calls; NS-14).
type usage struct {
	mode       csi.VolumeCapability_AccessMode_Mode
	fsType     string
	mountFlags []string
	readOnly   bool
}

func (u usage) equal(o usage) bool {
	return u.mode == o.mode && u.fsType == o.fsType && u.readOnly == o.readOnly && slices.Equal(u.mountFlags, o.mountFlags)
}

// String leaves the mount flags out: they may be secret (CSI spec, MountVolume.mount_flags).
func (u usage) String() string {
	access := "read-write"
	if u.readOnly {
		access = "read-only"
	}
	return fmt.Sprintf("%s %s with %d mount flags, %s", u.fsType, access, len(u.mountFlags), u.mode)
}

// shared tells whether the access mode allows the volume at several target paths of its node.
func (u usage) shared() bool {
	return u.mode == csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER
}

// usages remembers how each volume is used at which path.
type usages struct {
	mu       sync.Mutex
	byVolume map[string]map[string]usage
}

func newUsages() *usages {
	return &usages{byVolume: map[string]map[string]usage{}}
}

// admitAgain answers ALREADY_EXISTS if the volume is used at the path, but in another way.
func (u *usages) admitAgain(volumeID, path string, asked usage) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	here, used := u.byVolume[volumeID][path]
	if used && !here.equal(asked) {
		return status.Errorf(codes.AlreadyExists, "volume %q is at %s already, asked for as %s and now as %s: take it away first", volumeID, path, here, asked)
	}
	return nil
}

// admitBeside answers FAILED_PRECONDITION if the volume is used at another path
// and one of the two access modes allows only one.
func (u *usages) admitBeside(volumeID, path string, asked usage) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	for other, there := range u.byVolume[volumeID] {
		if other != path && !(there.shared() && asked.shared()) {
			return status.Errorf(codes.FailedPrecondition, "volume %q is published at %s as %s, and cannot be at %s as %s too: unpublish it there first",
				volumeID, other, there.mode, path, asked.mode)
		}
	}
	return nil
}

func (u *usages) add(volumeID, path string, as usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.byVolume[volumeID] == nil {
		u.byVolume[volumeID] = map[string]usage{}
	}
	u.byVolume[volumeID][path] = as
}

func (u *usages) remove(volumeID, path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.byVolume[volumeID], path)
	if len(u.byVolume[volumeID]) == 0 {
		delete(u.byVolume, volumeID)
	}
}
