// SPDX-License-Identifier: Apache-2.0

// Package usage remembers how the volumes of a node are used at each path: the part of
// a request that no mount table shows afterwards. It is kept on disk, so that a node
// plugin that was restarted, or killed, with volumes mounted answers as if nothing had
// happened.
//
// The package knows nothing about requests, nor about what is truly mounted. The caller
// records a usage before it mounts, and removes the record after the mount is gone. So
// a mount always has its record, unless that was lost; but a record may have no mount,
// and says nothing until the mounts are checked.
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

// At says where a volume is used. There is at most one record of it.
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
	// MountFlags may be secret (CSI spec, MountVolume.mount_flags): they are for this
	// record, which only the driver's user may read, and for no log.
	MountFlags []string `json:"mountFlags,omitempty"`
}

// check returns what is wrong with a record that was read.
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
