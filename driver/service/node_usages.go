// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/record/usage"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// wanted describes how a call requests a volume at a path: P in the table of second
// calls (CSI spec, NodePublishVolume; NS-14).
type wanted struct {
	mode            csi.VolumeCapability_AccessMode_Mode
	block, readOnly bool
	fsType          string
	mountFlags      []string
}

// parseCapability returns how a capability requests a volume; readOnly is true if something other than its access mode
// makes the volume read-only.
func parseCapability(c *csi.VolumeCapability, readOnly bool) wanted {
	mode := c.GetAccessMode().GetMode()
	return wanted{
		mode:       mode,
		block:      c.GetBlock() != nil,
		readOnly:   readOnly || readersOnly(mode),
		fsType:     c.GetMount().GetFsType(),
		mountFlags: c.GetMount().GetMountFlags(),
	}
}

func (w wanted) record(at usage.At) usage.Record {
	return usage.Record{
		At:         at,
		AccessMode: w.mode.String(),
		Block:      w.block,
		ReadOnly:   w.readOnly,
		FSType:     w.fsType,
		MountFlags: w.mountFlags,
	}
}

// differencesFrom describes how the recorded usage differs from the wanted one, and returns "" if it does not. The access
// mode counts only for a publication: staging is the same for all modes that write. The text contains no mount flags:
// they may be secret (CSI spec, MountVolume).
func (w wanted) differencesFrom(r usage.Record) string {
	var differences []string
	if mode := w.mode.String(); r.Role == usage.Published && r.AccessMode != mode {
		differences = append(differences, fmt.Sprintf("with access mode %s and not %s", r.AccessMode, mode))
	}
	if r.Block != w.block {
		differences = append(differences, fmt.Sprintf("%s and not %s", accessType(r.Block), accessType(w.block)))
	}
	if r.FSType != w.fsType {
		differences = append(differences, fmt.Sprintf("with file system %q and not %q", r.FSType, w.fsType))
	}
	if r.ReadOnly != w.readOnly {
		differences = append(differences, fmt.Sprintf("%s and not %s", access(r.ReadOnly), access(w.readOnly)))
	}
	if !slices.Equal(r.MountFlags, w.mountFlags) {
		differences = append(differences, "with other mount flags")
	}
	return strings.Join(differences, ", ")
}

func accessType(block bool) string {
	if block {
		return "as a block device"
	}
	return "as a file system"
}

func access(readOnly bool) string {
	if readOnly {
		return "read-only"
	}
	return "read-write"
}

// mountAt mounts the volume at a path, and records how it was requested, unless that
// is recorded already.
//
// It writes the record before the mount, because the plugin may end in between: a record without a mount is detected
// later, a mount without a record is not.
func (n *Node) mountAt(ctx context.Context, at usage.At, w wanted, known bool, mount func() error) error {
	if !known {
		if err := n.usages.Put(w.record(at)); err != nil {
			return nodeStatus(err)
		}
	}
	if err := mount(); err != nil {
		return nodeStatus(errors.Join(err, n.forgetFailedMount(ctx, at, known, err)))
	}
	return nil
}

// forgetFailedMount removes the record of a volume that could not be mounted at a path, unless the volume is there
// nevertheless. If it is there in another way than wanted, only an earlier record shows in which.
func (n *Node) forgetFailedMount(ctx context.Context, at usage.At, known bool, failed error) error {
	// The record has to be removed even if the caller has gone. If the mounter cannot determine whether the volume is there,
	// it may be.
	there, _ := n.isAt(context.WithoutCancel(ctx), at)
	if there && (known || !errors.Is(failed, volume.ErrIncompatible)) {
		return nil
	}
	return n.usages.Remove(at)
}

// unmountAt unmounts the volume from a path, and removes its record.
func (n *Node) unmountAt(at usage.At, unmount func() error) error {
	err := unmount()
	if err == nil || errors.Is(err, volume.ErrNotFound) {
		err = errors.Join(err, n.usages.Remove(at))
	}
	return nodeStatus(err)
}

// admitAgain reports whether the volume is recorded as wanted at the path, and returns ALREADY_EXISTS if it is there in
// another way.
func (n *Node) admitAgain(ctx context.Context, at usage.At, w wanted) (known bool, err error) {
	r, found := n.usages.Find(at)
	if !found {
		return false, nil
	}
	differences := w.differencesFrom(r)
	if differences == "" {
		return true, nil
	}
	there, err := n.isAt(ctx, at)
	if err != nil {
		return false, nodeStatus(err)
	}
	if there {
		return false, status.Errorf(codes.AlreadyExists, "volume %q is %s at %s already, %s: unpublish or unstage it there first", at.VolumeID, at.Role, at.Path, differences)
	}
	return false, nil
}

// admitBeside returns FAILED_PRECONDITION if the volume is published at another path of the node and one of the two
// access modes allows only one path.
func (n *Node) admitBeside(ctx context.Context, at usage.At, w wanted) error {
	for _, other := range n.usages.Of(at.VolumeID, usage.Published) {
		mode := csi.VolumeCapability_AccessMode_Mode(csi.VolumeCapability_AccessMode_Mode_value[other.AccessMode])
		if other.Path == at.Path || (shared(mode) && shared(w.mode)) {
			continue
		}
		there, err := n.isAt(ctx, other.At)
		if err != nil {
			return nodeStatus(err)
		}
		if there {
			return status.Errorf(codes.FailedPrecondition, "volume %q is published at %s with access mode %s, and cannot be at %s with %s too: unpublish it there first",
				at.VolumeID, other.Path, mode, at.Path, w.mode)
		}
	}
	return nil
}

// admitStaged returns FAILED_PRECONDITION if the volume was staged in a way that cannot be published as wanted. The
// mounter checks whether it is staged at all.
func (n *Node) admitStaged(ctx context.Context, volumeID, stagingPath string, w wanted) error {
	r, found := n.usages.Find(usage.At{VolumeID: volumeID, Path: stagingPath, Role: usage.Staged})
	if !found {
		return nil
	}
	if !r.ReadOnly {
		w.readOnly = false // a read-write volume can be published read-only
	}
	differences := w.differencesFrom(r)
	if differences == "" {
		return nil
	}
	there, err := n.isAt(ctx, r.At)
	if err != nil {
		return nodeStatus(err)
	}
	if there {
		return status.Errorf(codes.FailedPrecondition, "volume %q is staged at %s %s: publish it as it is staged, or unstage it first", volumeID, stagingPath, differences)
	}
	return nil
}

// isAt reports whether the volume really is at the recorded path; it returns true with an error. A record may belong to a
// mount that the plugin had no time to make, or that ended with the node.
func (n *Node) isAt(ctx context.Context, at usage.At) (bool, error) {
	_, err := n.volumes.Usage(ctx, at.VolumeID, at.Path)
	if errors.Is(err, volume.ErrNotFound) {
		return false, nil
	}
	return true, err
}
