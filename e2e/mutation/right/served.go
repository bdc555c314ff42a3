// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

func served() []Driver {
	return []Driver{
		{Name: "one-socket", Is: "has one node, with the controller and the node service on one socket",
			Given: []Endpoints{All, Controller}, // a vendor who gives the one socket has given the node, too
			Driver: mutation.Driver{Profile: exactDisks, Options: zones("Z2"), Running: func(_ *embedded.Driver, target *harness.Target) {
				target.Controller = mutation.OneSocket{ClientConnInterface: target.Controller, Node: target.Nodes[0]}
				target.Nodes = []grpc.ClientConnInterface{target.Controller}
			}}},
		{Name: "future-capabilities", Is: "claims capabilities of a later version of the specification, too",
			Driver: mutation.Driver{Profile: exactDisks, Fault: futureCapabilities()}},
		{
			Name:   "ready-later",
			Is:     "is starting at first: Probe returns ready: false, and other calls are UNAVAILABLE until it is ready",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&starting{response: &csi.ProbeResponse{Ready: wrapperspb.Bool(false)}, others: codes.Unavailable}).fault()},
		},
		{Name: "healthy-later",
			Is:     "lacks what it depends on at first: Probe and all other calls are FAILED_PRECONDITION until it is healthy",
			Driver: mutation.Driver{Profile: exactDisks, Fault: (&starting{others: codes.FailedPrecondition}).fault()}},
		{Name: "parameters-and-secrets", Is: "needs a parameter of the StorageClass, and secrets",
			Given:  []Endpoints{All, Controller}, // secrets are for both services
			Driver: mutation.Driver{Profile: secured, Fault: authenticated()}},
	}
}

// later is a number that is unused in the enums and as a field number in the messages of this version.
const later = 1000

// unknownField returns the encoding of a field that this version does not know.
func unknownField() []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, later, protowire.VarintType), 1)
}

func futureCapabilities() mutation.Fault {
	return mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
		other := &csi.PluginCapability{}
		other.ProtoReflect().SetUnknown(unknownField())
		response.Capabilities = append(response.Capabilities, other,
			&csi.PluginCapability{Type: &csi.PluginCapability_Service_{Service: &csi.PluginCapability_Service{Type: later}}},
			&csi.PluginCapability{Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: later}}})
	}).And(mutation.Answering(func(_ *csi.ControllerGetCapabilitiesRequest, response *csi.ControllerGetCapabilitiesResponse) {
		other := &csi.ControllerServiceCapability{}
		other.ProtoReflect().SetUnknown(unknownField())
		response.Capabilities = append(response.Capabilities, other,
			&csi.ControllerServiceCapability{Type: &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: later}}})
	})).And(mutation.Answering(func(_ *csi.NodeGetCapabilitiesRequest, response *csi.NodeGetCapabilitiesResponse) {
		other := &csi.NodeServiceCapability{}
		other.ProtoReflect().SetUnknown(unknownField())
		response.Capabilities = append(response.Capabilities, other,
			&csi.NodeServiceCapability{Type: &csi.NodeServiceCapability_Rpc{Rpc: &csi.NodeServiceCapability_RPC{Type: later}}})
	}))
}

// starting simulates a driver that is not ready at first.
type starting struct {
	response *csi.ProbeResponse // the answer of Probe until then; nil makes Probe fail as other calls do
	others   codes.Code         // the code of other calls

	first sync.Once
	ready time.Time
}

func (s *starting) fault() mutation.Fault {
	const takes = 150 * time.Millisecond
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		s.first.Do(func() { s.ready = time.Now().Add(takes) })
		started := !time.Now().Before(s.ready)
		switch _, probed := call.Request.(*csi.ProbeRequest); {
		case started:
			return call.Perform(ctx)
		case probed && s.response != nil:
			return s.response, nil
		case !probed && strings.HasPrefix(call.Method, "/csi.v1.Identity/"):
			return call.Perform(ctx)
		default:
			return nil, status.Error(s.others, "the plugin is not ready yet: wait until Probe says so")
		}
	})
}

// serving returns drivers whose services are at unusual endpoints.
func serving() []Driver {
	return []Driver{
		{Name: "node-alone",
			Is:     "has only Identity and Node, for volumes that are provisioned elsewhere; its vendor names one that exists",
			Driver: mutation.NodeAlone(mutation.Driver{Profile: exactDisks}), Given: []Endpoints{All, OneNode}},
		{Name: "node-alone-raw",
			Is:     "has only Identity and Node, for raw block devices that are provisioned elsewhere; its vendor names one that exists",
			Driver: mutation.NodeAlone(mutation.Driver{Profile: exactDisks + "mount: false\n"}), Given: []Endpoints{OneNode}},
		{Name: "attaches-existing",
			Is:     "has a controller that attaches volumes and creates none: each exists in one of the zones, and the vendor names one",
			Driver: mutation.AttachingExisting(mutation.Driver{Profile: exactDisks}), Given: []Endpoints{All, OneNode}},
		{
			Name:   "controller-per-node",
			Is:     "has a controller on each node, which knows nothing about the volumes of another, like democratic-csi and csi-driver-lvm (csi-provisioner --node-deployment)",
			Driver: mutation.Driver{Profile: onNodes + "controllerPerNode: true\n", PerNode: []string{"a", "b", "c"}, Fault: mutation.Lacking(mutation.Attaching...)},
		},
	}
}
