// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

func ofOneMode() []Driver {
	const (
		shared  = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
		written = csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER
		read    = csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY
	)
	return []Driver{
		{Name: "many-nodes-only",
			Is:     "has volumes of MULTI_NODE_MULTI_WRITER only, like some file shares, and refuses any other access mode",
			Driver: mutation.Driver{Profile: disksOf(shared), Fault: withModeOnly(shared)}},
		{Name: "one-writer-only", Is: "has volumes of MULTI_NODE_SINGLE_WRITER only, and refuses any other access mode",
			Driver: mutation.Driver{Profile: disksOf(written), Fault: withModeOnly(written)}},
		{Name: "readers-only",
			Is:     "has volumes of MULTI_NODE_READER_ONLY only, like mounted software repositories, and refuses any other access mode",
			Driver: mutation.Driver{Profile: disksOf(read), Fault: withModeOnly(read)}},
		{Name: "shared-across-zones",
			Is:     "has SINGLE_NODE_WRITER only for volumes of one zone, and MULTI_NODE_MULTI_WRITER only for volumes of two zones",
			Driver: mutation.Driver{Profile: sharedAcross, Fault: (&modesOfKinds{}).fault()}},
	}
}

// sharedAcross is a profile in which the volumes of two zones have a different access mode.
const sharedAcross = `driver: hostpath.topo.csi
volumeBytes: 16777216
volumes:
- accessibleFrom: 1
- accessibleFrom: 2
  parameters: {zones: "2"}
  accessMode: MULTI_NODE_MULTI_WRITER
block: true
capacity: exact
`

// modesOfKinds simulates a driver that has one access mode for each kind of volume.
type modesOfKinds struct {
	of sync.Map // the access mode, by volume_id
}

func (m *modesOfKinds) fault() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		mode := m.wanted(call.Request)
		response, err := refuse(ctx, call, func(c *csi.VolumeCapability) bool { return mode != 0 && isOther(c, mode) })
		if created, isVolume := response.(*csi.CreateVolumeResponse); isVolume && err == nil {
			m.of.Store(created.GetVolume().GetVolumeId(), mode)
		}
		return response, err
	}).Over(withoutNewerModes())
}

// wanted returns the access mode of the volumes in the request, or 0 if it is unknown.
func (m *modesOfKinds) wanted(request proto.Message) csi.VolumeCapability_AccessMode_Mode {
	switch r := request.(type) {
	case interface{ GetVolumeId() string }:
		if mode, found := m.of.Load(r.GetVolumeId()); found {
			return mode.(csi.VolumeCapability_AccessMode_Mode)
		}
	case interface{ GetParameters() map[string]string }:
		if r.GetParameters()["zones"] == "2" {
			return csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
		}
		return csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	}
	return 0
}

// isOther reports whether the capability has a different access mode; an unset mode is refused anyway.
func isOther(c *csi.VolumeCapability, mode csi.VolumeCapability_AccessMode_Mode) bool {
	asked := c.GetAccessMode().GetMode()
	return asked != mode && asked != csi.VolumeCapability_AccessMode_UNKNOWN
}

// disksOf returns the profile exactDisks for a driver whose volumes have the access mode.
func disksOf(mode csi.VolumeCapability_AccessMode_Mode) string {
	return strings.ReplaceAll(exactDisks, "- accessibleFrom", "- accessMode: "+mode.String()+"\n  accessibleFrom")
}

// withModeOnly returns a driver whose volumes have one access mode.
func withModeOnly(mode csi.VolumeCapability_AccessMode_Mode) mutation.Fault {
	return refusing(func(c *csi.VolumeCapability) bool { return isOther(c, mode) }).Over(withoutNewerModes())
}

// withoutNewerModes returns a driver that does not distinguish writers on one node; a driver that does also has
// SINGLE_NODE_WRITER.
func withoutNewerModes() mutation.Fault {
	return mutation.Lacking(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER, csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)
}
