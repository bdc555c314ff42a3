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
	return []Driver{{
		Name:   "many-nodes-only",
		Is:     "has volumes of MULTI_NODE_MULTI_WRITER only, as some file shares have, and refuses any other access mode",
		Driver: mutation.Driver{Profile: disksOf(shared), Fault: withModeOnly(shared)},
	}, {
		Name:   "one-writer-only",
		Is:     "has volumes of MULTI_NODE_SINGLE_WRITER only, and refuses any other access mode",
		Driver: mutation.Driver{Profile: disksOf(written), Fault: withModeOnly(written)},
	}, {
		Name:   "readers-only",
		Is:     "has volumes of MULTI_NODE_READER_ONLY only, as software repositories have that are mounted, and refuses any other access mode",
		Driver: mutation.Driver{Profile: disksOf(read), Fault: withModeOnly(read)},
	}, {
		Name:   "shared-across-zones",
		Is:     "volumes of one zone have SINGLE_NODE_WRITER only, and those of two zones MULTI_NODE_MULTI_WRITER only",
		Driver: mutation.Driver{Profile: sharedAcross, Fault: (&modesOfKinds{}).fault()},
	}}
}

// sharedAcross says that the volumes of two zones have an access mode of their own.
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

// modesOfKinds is a driver each of whose kinds of volume has one access mode.
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

// wanted is the access mode of the volumes that the request is about, and 0 where that is unknown.
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

// isOther reports whether the capability has another access mode; one that is not set is refused anyway.
func isOther(c *csi.VolumeCapability, mode csi.VolumeCapability_AccessMode_Mode) bool {
	asked := c.GetAccessMode().GetMode()
	return asked != mode && asked != csi.VolumeCapability_AccessMode_UNKNOWN
}

// disksOf is the profile exactDisks of a driver whose volumes have the access mode.
func disksOf(mode csi.VolumeCapability_AccessMode_Mode) string {
	return strings.ReplaceAll(exactDisks, "- accessibleFrom", "- accessMode: "+mode.String()+"\n  accessibleFrom")
}

// withModeOnly is a driver whose volumes have one access mode.
func withModeOnly(mode csi.VolumeCapability_AccessMode_Mode) mutation.Fault {
	return refusing(func(c *csi.VolumeCapability) bool { return isOther(c, mode) }).Over(withoutNewerModes())
}

// withoutNewerModes is a driver that does not distinguish writers on one node: one that does has SINGLE_NODE_WRITER as well.
func withoutNewerModes() mutation.Fault {
	return mutation.Lacking(csi.ControllerServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER, csi.NodeServiceCapability_RPC_SINGLE_NODE_MULTI_WRITER)
}
