// SPDX-License-Identifier: Apache-2.0

// Package usage records how the volumes of a node are used at each path: the part of a request that no mount table shows.
// The records are on disk, so that a node plugin that was restarted, or killed, with volumes mounted continues as if
// nothing had happened.
//
// The package does not know requests or mounts. The caller records a usage before it mounts, and removes the record after
// it unmounts. So a mount always has a record, unless that was lost; but a record may have no mount, and proves nothing
// until the mounts are checked.
package usage

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Role distinguishes the two kinds of paths where a node has a volume.
type Role string

const (
	// Staged is a staging path.
	Staged Role = "staged"
	// Published is a target path.
	Published Role = "published"
)

// At is the key of a record: a volume, a path and a role.
type At struct {
	VolumeID string `json:"volumeID"`
	// Path is absolute.
	Path string `json:"path"`
	Role Role   `json:"role"`
}

// Record describes how a volume is used at one path.
type Record struct {
	At
	// AccessMode is the name of the CSI access mode; the other fields come from the
	// request.
	AccessMode string `json:"accessMode"`
	Block      bool   `json:"block,omitempty"`
	ReadOnly   bool   `json:"readOnly,omitempty"`
	FSType     string `json:"fsType,omitempty"`
	// MountFlags may be secret (CSI spec, MountVolume.mount_flags): only the driver's user may read the record, and no log
	// may contain them.
	MountFlags []string `json:"mountFlags,omitempty"`
}

// check returns an error if a record that was read is invalid.
func (r Record) check() error {
	switch {
	case r.VolumeID == "":
		return errors.New("it names no volume")
	case !filepath.IsAbs(r.Path):
		return fmt.Errorf("its path %q is not absolute", r.Path)
	case r.Role != Staged && r.Role != Published:
		return fmt.Errorf("its role is %q, and should be %q or %q", r.Role, Staged, Published)
	}
	return nil
}
