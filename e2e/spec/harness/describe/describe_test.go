// SPDX-License-Identifier: Apache-2.0

package describe

import (
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

func TestDescribeCapability(t *testing.T) {
	mode := &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER}
	for _, c := range []struct {
		name  string
		given *csi.VolumeCapability
		want  string
	}{
		{"a mount", &csi.VolumeCapability{AccessMode: mode, AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}}}, "SINGLE_NODE_WRITER mount"},
		{"a file system", &csi.VolumeCapability{AccessMode: mode, AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{FsType: "xfs"}}}, "SINGLE_NODE_WRITER mount of fs_type xfs"},
		{"a block device", &csi.VolumeCapability{AccessMode: mode, AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}}}, "SINGLE_NODE_WRITER block"},
		{"nothing", &csi.VolumeCapability{AccessMode: mode}, "SINGLE_NODE_WRITER without access_type"},
	} {
		if got := Capability(c.given); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
